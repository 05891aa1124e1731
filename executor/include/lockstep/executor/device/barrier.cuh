// A device-wide barrier: a barrier for all thread blocks of a launch.
#pragma once

#include "lockstep/executor/device/atomics.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep::gpu {

/// A device-wide barrier that counts the arrivals of all thread blocks in device memory. Writes of any thread
/// before its block arrives are visible to all threads after the wait: the first thread of a block releases
/// and acquires for its block, and __syncthreads extends this to all threads of the block.
///
/// The arrival is an atomic operation without a result, so the first thread can poll the count immediately.
/// In contrast, the barrier of cooperative groups waits for the result of its atomic operation first.
///
/// All blocks must be resident concurrently (launch.cuh), and the counter must be zero at the launch. If
/// `at_one_place`, all threads of a block must arrive at the same statement; otherwise, warps may arrive at
/// different statements.
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
