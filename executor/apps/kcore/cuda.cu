// k-cores on the GPU.
#include "lockstep/executor/structure/cores.cuh"

namespace lockstep {

structure::Runner structure::cores_on_cuda(const Undirected& plan, Peeling peeling,
                                           std::optional<std::uint32_t> k) {
    const EdgeId bytes = DeviceCores::bytes_of(plan, peeling);
    gpu::require_memory(bytes, "--device cpu needs none");
    gpu::Timer transfer;
    const auto work = std::make_shared<DeviceCores>(plan, peeling, k);
    return {bytes, transfer.seconds(), [work] { return work->run(); }};
}

}  // namespace lockstep
