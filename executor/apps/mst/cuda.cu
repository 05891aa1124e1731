// A spanning forest of least weight on the GPU.
#include "lockstep/executor/structure/forest.cuh"

namespace lockstep {

structure::Runner structure::forest_on_cuda(const Undirected& plan, Picking picking) {
    require_numbers(plan);
    const EdgeId bytes = DeviceForest::bytes_of(plan);
    gpu::require_memory(bytes, "--device cpu needs none");
    gpu::Timer transfer;
    const auto work = std::make_shared<DeviceForest>(plan, picking);
    return {bytes, transfer.seconds(), [work] { return work->run(); }};
}

}  // namespace lockstep
