// The one way to launch a kernel whose blocks wait for each other.
#pragma once

#include <algorithm>

#include "lockstep/executor/device/runtime.cuh"

namespace lockstep::gpu {

/// Launches `kernel` with `shared` bytes of dynamic shared memory and blocks that all run at once, so that a
/// device-wide barrier cannot deadlock. Throws Error (no_device) where not even a block per multiprocessor,
/// or not `shape.blocks`, can.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), const Shape& shape, EdgeId shared, const Arguments&... arguments) {
    int resident = 0;
    if (shape.near)
        LOCKSTEP_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                           cudaSharedmemCarveoutMaxL1));
    if (shared)
        LOCKSTEP_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           static_cast<int>(shared)));
    LOCKSTEP_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, shape.threads, shared));
    const EdgeId most =
        device_properties().multiprocessors * static_cast<EdgeId>(std::min(resident, shape.blocks_per_sm));
    if (most == 0 || most < shape.blocks)
        throw Error(Failure::no_device,
                    "the kernel needs more registers or shared memory than the device has");
    void* pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
    const dim3 grid(static_cast<unsigned>(shape.blocks ? shape.blocks : most));
    LOCKSTEP_CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid,
                                              dim3(static_cast<unsigned>(shape.threads)), pointers, shared,
                                              nullptr));
    LOCKSTEP_CUDA(cudaGetLastError());
}

}  // namespace lockstep::gpu
