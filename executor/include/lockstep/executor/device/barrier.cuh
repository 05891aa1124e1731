// The barrier of all thread blocks of a launch.
#pragma once

#include "lockstep/schedules/types.hpp"

namespace lockstep::gpu {

/// Counts the arrivals of all blocks in device memory. What any thread wrote before its block's arrival,
/// every thread sees behind the wait: the block's first thread releases and acquires for all, and
/// __syncthreads passes it on.
///
/// The arrival asks for nothing back, so that the first thread can ask for the count at once; that of
/// cooperative groups waits for the count before it first.
///
/// All blocks must be resident at once (launch.cuh), and the counter be zero at the launch.
class DeviceBarrier {
public:
    __device__ __forceinline__ explicit DeviceBarrier(EdgeId* arrivals) : arrivals_(arrivals) {}

    __device__ __forceinline__ void arrive() {
        __syncthreads();
        awaited_ += gridDim.x;
        if (threadIdx.x == 0)
            asm volatile("red.release.gpu.global.add.u64 [%0], 1;" ::"l"(__cvta_generic_to_global(arrivals_))
                         : "memory");
    }
    __device__ __forceinline__ void wait() const {
        if (threadIdx.x == 0) {
            EdgeId arrived = 0;
            do
                asm volatile("ld.acquire.gpu.global.u64 %0, [%1];"
                             : "=l"(arrived)
                             : "l"(__cvta_generic_to_global(arrivals_))
                             : "memory");
            while (arrived < awaited_);
        }
        __syncthreads();
    }
    __device__ __forceinline__ void sync() {
        arrive();
        wait();
    }

private:
    EdgeId* arrivals_;
    EdgeId awaited_ = 0;
};

}  // namespace lockstep::gpu
