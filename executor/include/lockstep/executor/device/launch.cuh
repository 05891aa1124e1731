// Launches kernels whose thread blocks wait for each other, so that all of them must be resident
// concurrently. Such kernels are launched only by these functions.
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "lockstep/executor/device/runtime.cuh"

namespace lockstep::gpu {

/// Returns the number of thread blocks of `kernel` that can be resident on a multiprocessor of the current
/// device. The result is cached per kernel until the number of threads or `shared` changes, because the
/// host's work before a launch is part of a sweep's time.
inline int blocks_per_multiprocessor(const void* kernel, const Shape& shape, EdgeId shared) {
    struct CachedOccupancy {
        int threads;
        EdgeId shared;
        int blocks;
    };
    static std::mutex mutex;
    static std::map<std::pair<int, const void*>, CachedOccupancy> known;
    int device = 0;
    LOCKSTEP_CUDA(cudaGetDevice(&device));
    const std::lock_guard lock(mutex);
    const auto found = known.find({device, kernel});
    if (found != known.end() && found->second.threads == shape.threads && found->second.shared == shared)
        return found->second.blocks;
    if (shape.near)
        LOCKSTEP_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                           cudaSharedmemCarveoutMaxL1));
    if (shared)
        LOCKSTEP_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           static_cast<int>(shared)));
    int blocks = 0;
    LOCKSTEP_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, shape.threads, shared));
    known[{device, kernel}] = {shape.threads, shared, blocks};
    return blocks;
}

/// Returns the number of thread blocks to launch: `shape.blocks` or, if this is 0, the number of blocks of
/// `kernel` that can be resident concurrently with `shared` bytes of dynamic shared memory each. A
/// device-wide barrier then cannot deadlock. Throws Error (no_device) if not even one block per
/// multiprocessor, or fewer than `shape.blocks`, can be resident.
template <class... Parameters>
unsigned resident_blocks(void (*kernel)(Parameters...), const Shape& shape, EdgeId shared) {
    const int resident = blocks_per_multiprocessor(reinterpret_cast<const void*>(kernel), shape, shared);
    const EdgeId most =
        device_properties().multiprocessors * static_cast<EdgeId>(std::min(resident, shape.blocks_per_sm));
    if (most == 0 || most < shape.blocks)
        throw Error(Failure::no_device,
                    "the kernel needs more registers or shared memory than the device has");
    return static_cast<unsigned>(shape.blocks ? shape.blocks : most);
}

/// Returns the number of registers per thread of the kernel.
template <class... Parameters>
int registers_of(void (*kernel)(Parameters...)) {
    cudaFuncAttributes attributes{};
    LOCKSTEP_CUDA(cudaFuncGetAttributes(&attributes, kernel));
    return attributes.numRegs;
}

/// Launches `blocks` thread blocks, which must all fit on the device concurrently.
template <class... Parameters, class... Arguments>
void launch_blocks(void (*kernel)(Parameters...), unsigned blocks, int threads, EdgeId shared,
                   const Arguments&... arguments) {
    void* pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
    LOCKSTEP_CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), dim3(blocks),
                                              dim3(static_cast<unsigned>(threads)), pointers, shared,
                                              nullptr));
    LOCKSTEP_CUDA(cudaGetLastError());
}

/// Launches `shape.blocks` thread blocks or, if this is 0, as many as can be resident concurrently.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), const Shape& shape, EdgeId shared, const Arguments&... arguments) {
    launch_blocks(kernel, resident_blocks(kernel, shape, shared), shape.threads, shared, arguments...);
}

}  // namespace lockstep::gpu
