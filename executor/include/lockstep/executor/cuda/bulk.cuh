// Bulk copies between global and shared memory, the barriers they complete on, and flags between blocks.
#pragma once

#include <cstdint>

#include "lockstep/executor/cuda/shared.cuh"

/// Bulk copies need compute capability 9.0. Their kernels are empty where they are compiled for older
/// devices, on which the host refuses to launch them (require_bulk_copies).
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define LOCKSTEP_NO_BULK_COPIES
#endif

namespace lockstep::gpu {

/// A barrier in shared memory that counts arrivals and bytes; its phases alternate in parity.
struct BulkBarrier {
    std::uint64_t word;

    __device__ __forceinline__ void initialise(unsigned arrivals) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&word)), "r"(arrivals)
                     : "memory");
    }
    __device__ __forceinline__ void arrive_expecting(unsigned bytes) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&word)),
                     "r"(bytes)
                     : "memory");
    }
    __device__ __forceinline__ void arrive() {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&word)) : "memory");
    }
    __device__ __forceinline__ void wait(unsigned parity) {
        asm volatile(
            "{\n"
            ".reg .pred done;\n"
            "again:\n"
            "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
            "@!done bra again;\n"
            "}\n" ::"r"(shared_address(&word)),
            "r"(parity)
            : "memory");
    }
};

/// Addresses and sizes are multiples of 16 bytes.
__device__ __forceinline__ void bulk_load(void* shared, const void* global, unsigned bytes,
                                          BulkBarrier& barrier) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            shared_address(shared)),
        "l"(__cvta_generic_to_global(global)), "r"(bytes), "r"(shared_address(&barrier.word))
        : "memory");
}
/// The way back begins; what this thread began is read; is in global memory.
__device__ __forceinline__ void bulk_write(void* global, const void* shared, unsigned bytes) {
    asm volatile(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(global)),
        "r"(shared_address(shared)), "r"(bytes)
        : "memory");
}
__device__ __forceinline__ void bulk_writes_read() {
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
}
__device__ __forceinline__ void bulk_writes_done() {
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
/// Returns when the bytes are in global memory.
__device__ __forceinline__ void bulk_store(void* global, const void* shared, unsigned bytes) {
    bulk_write(global, shared, bytes);
    bulk_writes_read();
    bulk_writes_done();
}
/// Orders this thread's plain accesses and bulk copies of the same memory.
__device__ __forceinline__ void bulk_fence() { asm volatile("fence.proxy.async;" ::: "memory"); }

/// The same for shared memory alone, in the threads that wrote it, before the barrier with the one that
/// copies.
__device__ __forceinline__ void bulk_fence_shared() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// The same for global memory.
__device__ __forceinline__ void bulk_fence_global() {
    asm volatile("fence.proxy.async.global;" ::: "memory");
}

__device__ __forceinline__ void release_flag(unsigned* flag, unsigned value) {
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(flag)), "r"(value)
                 : "memory");
}
__device__ __forceinline__ unsigned acquire_flag(const unsigned* flag) {
    unsigned value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                 : "=r"(value)
                 : "l"(__cvta_generic_to_global(flag))
                 : "memory");
    return value;
}

/// Barrier `id` (1 … 15) of `threads` threads of the block: some wait at it, others only arrive. It counts
/// warps, so that each must meet it as a whole.
__device__ __forceinline__ void barrier_wait(int id, int threads) {
    __syncwarp();
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
__device__ __forceinline__ void barrier_arrive(int id, int threads) {
    __syncwarp();
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

}  // namespace lockstep::gpu
