#include "apps/pagerank/cuda_backend.cuh"
#include "lockstep/executor/cuda/neighbours.cuh"

namespace lockstep::pagerank {

template <bool Prepared, class OnRound>
double iterate(const gpu::DeviceNeighbours& plan, const PageRankOperator<Prepared>& op, OnRound on_round) {
    switch (plan.traversal()) {
        case Traversal::push:
            return plan.virtual_warps() ? gpu::iterate<gpu::PushWarps>(plan, op, on_round)
                                        : gpu::iterate<gpu::Push>(plan, op, on_round);
        case Traversal::edge_soa:
            return gpu::iterate<gpu::Edges<false>>(plan, op, on_round);
        case Traversal::edge_aos:
            return gpu::iterate<gpu::Edges<true>>(plan, op, on_round);
        default:
            return plan.virtual_warps() ? gpu::iterate<gpu::PullWarps>(plan, op, on_round)
                                        : gpu::iterate<gpu::Pull>(plan, op, on_round);
    }
}

std::unique_ptr<Backend> make_direct_backend(const Problem& problem) {
    return std::make_unique<CudaBackend<false>>(problem);
}

}  // namespace lockstep::pagerank
