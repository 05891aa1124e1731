// A maximal independent set on the GPU.
#include "lockstep/executor/structure/independent.cuh"

namespace lockstep {

structure::Runner structure::independent_on_cuda(const Undirected& plan, const Priority& priority,
                                                 Deciding deciding) {
    const EdgeId bytes = DeviceIndependent::bytes_of(plan);
    gpu::require_memory(bytes, "--device cpu needs none");
    gpu::Timer transfer;
    const auto work = std::make_shared<DeviceIndependent>(plan, priority, deciding);
    return {bytes, transfer.seconds(), [work] { return work->run(); }};
}

}  // namespace lockstep
