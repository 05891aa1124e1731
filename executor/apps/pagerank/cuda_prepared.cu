#include "apps/pagerank/cuda_backend.cuh"
#include "lockstep/executor/cuda/on_chip.cuh"

namespace lockstep::pagerank {

template <bool Prepared, class OnRound>
double iterate(const gpu::DeviceNeighbours& plan, const PageRankOperator<Prepared>& op, OnRound on_round) {
    switch (plan.traversal()) {
        case Traversal::edge_tiled:
            return gpu::iterate<gpu::EdgeTiled>(plan, op, on_round);
        case Traversal::bins:
            return gpu::iterate<gpu::Bins>(plan, op, on_round);
        default:
            return plan.virtual_warps() ? gpu::iterate<gpu::PullWarps>(plan, op, on_round)
                                        : gpu::iterate<gpu::Pull>(plan, op, on_round);
    }
}

std::unique_ptr<Backend> make_prepared_backend(const Problem& problem) {
    return std::make_unique<CudaBackend<true>>(problem);
}

}  // namespace lockstep::pagerank
