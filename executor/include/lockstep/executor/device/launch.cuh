// The one way to launch a kernel whose blocks wait for each other.
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "lockstep/executor/device/runtime.cuh"

namespace lockstep::gpu {

/// Blocks of `kernel` that a multiprocessor of the present device holds. Asked again only where `shared`
/// changes: what the host does before a launch is part of a sweep's time.
inline int resident_blocks(const void* kernel, const Shape& shape, EdgeId shared) {
    struct Known {
        EdgeId shared;
        int blocks;
    };
    static std::mutex mutex;
    static std::map<std::pair<int, const void*>, Known> known;
    int device = 0;
    LOCKSTEP_CUDA(cudaGetDevice(&device));
    const std::lock_guard lock(mutex);
    const auto [found, is_new] = known.try_emplace({device, kernel});
    Known& here = found->second;
    if (!is_new && here.shared == shared) return here.blocks;
    if (shape.near)
        LOCKSTEP_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                           cudaSharedmemCarveoutMaxL1));
    if (shared)
        LOCKSTEP_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           static_cast<int>(shared)));
    int blocks = 0;
    LOCKSTEP_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, shape.threads, shared));
    here = {shared, blocks};
    return blocks;
}

/// Launches `kernel` with `shared` bytes of dynamic shared memory and blocks that all run at once, so that a
/// device-wide barrier cannot deadlock. Throws Error (no_device) where not even a block per multiprocessor,
/// or not `shape.blocks`, can.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), const Shape& shape, EdgeId shared, const Arguments&... arguments) {
    const auto* const function = reinterpret_cast<const void*>(kernel);
    const int resident = resident_blocks(function, shape, shared);
    const EdgeId most =
        device_properties().multiprocessors * static_cast<EdgeId>(std::min(resident, shape.blocks_per_sm));
    if (most == 0 || most < shape.blocks)
        throw Error(Failure::no_device,
                    "the kernel needs more registers or shared memory than the device has");
    void* pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
    const dim3 grid(static_cast<unsigned>(shape.blocks ? shape.blocks : most));
    LOCKSTEP_CUDA(cudaLaunchCooperativeKernel(function, grid, dim3(static_cast<unsigned>(shape.threads)),
                                              pointers, shared, nullptr));
    LOCKSTEP_CUDA(cudaGetLastError());
}

}  // namespace lockstep::gpu
