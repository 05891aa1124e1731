// Bulk copies between global and shared memory, the barriers in shared memory that count them, and flags by
// which thread blocks wait for each other.
#pragma once

#include <cstdint>
#include <cuda/ptx>

#include "lockstep/executor/device/atomics.hpp"

/// Bulk copies require compute capability 9.0. Kernels that use them are compiled as empty functions for
/// older devices, on which the host does not launch them (not_on_chip in edge/fits.cpp).
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define LOCKSTEP_NO_BULK_COPIES
#endif

namespace lockstep::gpu {

/// A barrier in shared memory that counts arrivals and copied bytes. It can be used repeatedly; the parity of
/// its phase alternates.
struct BulkBarrier {
    std::uint64_t word;

    __device__ __forceinline__ void initialise(unsigned arrivals) {
        cuda::ptx::mbarrier_init(&word, arrivals);
    }
    /// Makes the initialization of barriers visible to other threads and to bulk copies. A thread must call
    /// it after its last initialise() and before the threads of the block synchronize.
    __device__ __forceinline__ static void initialised() {
        cuda::ptx::fence_mbarrier_init(cuda::ptx::sem_release, cuda::ptx::scope_cluster);
        cuda::ptx::fence_proxy_async();
    }
    __device__ __forceinline__ void arrive_expecting(unsigned bytes) {
        cuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release, cuda::ptx::scope_cta,
                                             cuda::ptx::space_shared, &word, bytes);
    }
    __device__ __forceinline__ void arrive() { cuda::ptx::mbarrier_arrive(&word); }
    __device__ __forceinline__ void wait(unsigned parity) {
        while (!cuda::ptx::mbarrier_try_wait_parity(&word, parity)) {
        }
    }
};

/// Starts a copy to shared memory, whose bytes `barrier` counts. Both addresses and the size must be
/// multiples of 16 bytes.
__device__ __forceinline__ void bulk_load(void* shared, const void* global, unsigned bytes,
                                          BulkBarrier& barrier) {
    cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global, shared, global, bytes,
                             &barrier.word);
}
/// Starts a copy from shared to global memory.
__device__ __forceinline__ void bulk_write(void* global, const void* shared, unsigned bytes) {
    cuda::ptx::cp_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared, global, shared, bytes);
}
/// Waits until all copies to global memory that this thread has started have read shared memory, which may
/// then be overwritten.
__device__ __forceinline__ void wait_for_bulk_reads() {
    cuda::ptx::cp_async_bulk_commit_group();
    cuda::ptx::cp_async_bulk_wait_group_read(cuda::ptx::n32_t<0>{});
}
/// Waits until all copies to global memory that this thread has started are complete.
__device__ __forceinline__ void wait_for_bulk_writes() {
    cuda::ptx::cp_async_bulk_wait_group(cuda::ptx::n32_t<0>{});
}
/// Orders ordinary accesses and bulk copies of this thread to the same memory.
__device__ __forceinline__ void bulk_fence() { cuda::ptx::fence_proxy_async(); }
/// Orders ordinary accesses and bulk copies to shared memory only. Threads that write data must call it
/// before they synchronize with the thread that starts a copy of these data.
__device__ __forceinline__ void bulk_fence_shared() { cuda::ptx::fence_proxy_async(cuda::ptx::space_shared); }
/// Orders ordinary accesses and bulk copies to global memory only.
__device__ __forceinline__ void bulk_fence_global() { cuda::ptx::fence_proxy_async(cuda::ptx::space_global); }

__device__ __forceinline__ void release_flag(unsigned* flag, unsigned value) {
    Atomic<unsigned>(*flag).store(value, memory_order_release);
}
__device__ __forceinline__ unsigned acquire_flag(const unsigned* flag) {
    return Atomic<unsigned>(*const_cast<unsigned*>(flag)).load(memory_order_acquire);
}

/// Waits at the named barrier `id` (1 … 15) of the thread block until `threads` threads have arrived, by
/// barrier_wait() or barrier_arrive(). The barrier counts warps, so each warp must reach it as a whole.
__device__ __forceinline__ void barrier_wait(int id, int threads) {
    __syncwarp();
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
__device__ __forceinline__ void barrier_arrive(int id, int threads) {
    __syncwarp();
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

}  // namespace lockstep::gpu
