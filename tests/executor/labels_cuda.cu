#include "label_operator.hpp"
#include "lockstep/executor/cuda/on_chip.cuh"

namespace lockstep::test {

namespace {

template <class OnRound>
void iterate(const gpu::DeviceNeighbours& plan, const LabelOperator& op, OnRound on_round) {
    const bool warps = plan.virtual_warps();
    switch (plan.traversal()) {
        case Traversal::push:
            warps ? gpu::iterate<gpu::PushWarps>(plan, op, on_round)
                  : gpu::iterate<gpu::Push>(plan, op, on_round);
            break;
        case Traversal::edge_soa:
            gpu::iterate<gpu::Edges<false>>(plan, op, on_round);
            break;
        case Traversal::edge_aos:
            gpu::iterate<gpu::Edges<true>>(plan, op, on_round);
            break;
        case Traversal::edge_tiled:
            gpu::iterate<gpu::EdgeTiled>(plan, op, on_round);
            break;
        case Traversal::bins:
            gpu::iterate<gpu::Bins>(plan, op, on_round);
            break;
        default:
            warps ? gpu::iterate<gpu::PullWarps>(plan, op, on_round)
                  : gpu::iterate<gpu::Pull>(plan, op, on_round);
            break;
    }
}

}  // namespace

std::vector<std::uint32_t> labels_on_cuda(const NeighbourPlan& plan, std::uint64_t* rounds) {
    std::vector<std::uint32_t> start(plan.vertices);
    for (VertexId v = 0; v < plan.vertices; ++v) start[v] = v;
    gpu::Buffer<std::uint32_t> from(start), to(plan.vertices),
        smallest(std::vector<std::uint32_t>(plan.vertices, ~0U));
    const gpu::DeviceNeighbours device(plan, 12 * EdgeId{plan.vertices});
    *rounds = 0;
    iterate(device, LabelOperator{from.data(), to.data(), smallest.data(), 0}, [&](const auto&, double) {
        ++*rounds;
        return true;
    });
    return *rounds % 2 ? to.download() : from.download();
}

}  // namespace lockstep::test
