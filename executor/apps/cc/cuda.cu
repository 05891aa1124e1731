// Connected components on the GPU.
#include "lockstep/executor/structure/components.cuh"

namespace lockstep {

structure::Runner structure::components_on_cuda(const Undirected& plan, Joining joining) {
    gpu::require_memory(DeviceComponents::bytes_of(plan), "--device cpu needs none");
    gpu::Timer transfer;
    const auto work = std::make_shared<DeviceComponents>(plan, joining);
    return {DeviceComponents::bytes_of(plan), transfer.seconds(), [work] { return work->run(); }};
}

}  // namespace lockstep
