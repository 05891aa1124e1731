// A barrier for all thread blocks of a launch.
#pragma once

#include "lockstep/executor/device/atomics.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep::gpu {

/// Barrier that counts the arrivals of all blocks in device memory. The writes of all threads before their
/// block arrives are visible to every thread after the wait: the first thread of the block releases and
/// acquires for all, and __syncthreads extends this to the block.
///
/// The arrival returns no value, so that the first thread can read the count immediately. In contrast, the
/// arrival of cooperative groups first waits for the count.
///
/// All blocks must be resident concurrently (launch.cuh), and the counter must be zero at the launch. If
/// `at_one_place`, all threads of a block must arrive at the same place of the code; otherwise, warps may
/// arrive at different places.
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
