// The barrier of all thread blocks of a launch.
#pragma once

#include "lockstep/executor/device/atomics.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep::gpu {

/// Counts the arrivals of all blocks in device memory. What any thread wrote before its block's arrival,
/// every thread sees behind the wait: the block's first thread releases and acquires for all, and
/// __syncthreads passes it on.
///
/// The arrival asks for nothing back, so that the first thread can ask for the count at once; that of
/// cooperative groups waits for the count before it first.
///
/// All blocks must be resident at once (launch.cuh), and the counter be zero at the launch. `at_one_place`:
/// all threads of a block come to it at one place in the code; otherwise warps may.
template <bool at_one_place>
class BasicDeviceBarrier {
public:
    __device__ __forceinline__ explicit BasicDeviceBarrier(EdgeId* arrivals) : arrivals_(arrivals) {}

    __device__ __forceinline__ void arrive() {
        meet();
        awaited_ += gridDim.x;
        if (threadIdx.x == 0) Atomic<EdgeId>(*arrivals_).fetch_add(1, memory_order_release);
    }
    __device__ __forceinline__ void wait() const {
        if (threadIdx.x == 0) {
            while (Atomic<EdgeId>(*arrivals_).load(memory_order_acquire) < awaited_) {
            }
        }
        meet();
    }
    __device__ __forceinline__ void sync() {
        arrive();
        wait();
    }

private:
    __device__ __forceinline__ static void meet() {
        if constexpr (at_one_place) {
            __syncthreads();
        } else {
            __syncwarp();
            asm volatile("bar.sync 0, %0;" ::"r"(blockDim.x) : "memory");
        }
    }

    EdgeId* arrivals_;
    EdgeId awaited_ = 0;
};
using DeviceBarrier = BasicDeviceBarrier<true>;
using DeviceBarrierOfWarps = BasicDeviceBarrier<false>;

}  // namespace lockstep::gpu
