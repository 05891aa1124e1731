// The monitor of the walk `regions`, which detects its end (regions.cuh proves that this is correct).
#pragma once

#include "lockstep/executor/frontier/regions/view.cuh"

namespace lockstep::frontier::regions_gpu {

/// Reads four consecutive words. Each of the four reads is atomic.
__device__ __forceinline__ uint4 peek_four(const uint4* p) {
    uint4 v;
    asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(__cvta_generic_to_global(p))
                 : "memory");
    return v;
}

/// The work of the last thread block: publishes the minimum label of all regions (the floor), and ends the
/// walk when no worker has work, or when the time limit is exceeded.
__device__ inline void monitor_regions(const RegionView& view, std::uint32_t* shared) {
    const std::uint64_t deadline = nanoseconds() + view.max_nanoseconds;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const std::uint32_t quads = view.line / 4;
    bool quiet = false;
    std::uint32_t epochs = 0, reported = nothing;
    for (;;) {
        std::uint32_t least = nothing, sum = 0;
#pragma unroll 8
        for (std::uint32_t i = threadIdx.x; i < view.workers * quads; i += region_threads) {
            if (i % quads == 0) continue;
            const uint4 four = peek_four(reinterpret_cast<const uint4*>(view.lines) + i);
            least = min(min(least, min(four.x, four.y)), min(four.z, four.w));
        }
        cuda::atomic_thread_fence(memory_order_acq_rel, cuda::thread_scope_device);
        __syncthreads();
#pragma unroll 4
        for (std::uint32_t w = threadIdx.x; w < view.workers; w += region_threads) {
            const std::uint64_t state =
                Atomic<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(view.line_of(w) + 2))
                    .load(memory_order_acquire);
            least = min(least, static_cast<std::uint32_t>(state));
            sum += static_cast<std::uint32_t>(state >> 32);
        }
        least = min_of_warp(least), sum = sum_of_warp(sum);
        if (lane == 0) shared[warp] = least, shared[region_warps + warp] = sum;
        if (threadIdx.x == 0) shared[2 * region_warps] = nanoseconds() > deadline;
        __syncthreads();
        least = nothing, sum = 0;
        for (int w = 0; w < region_warps; ++w) least = min(least, shared[w]), sum += shared[region_warps + w];
        const bool late = shared[2 * region_warps] != 0, end = least == nothing && quiet && sum == epochs;
        quiet = least == nothing, epochs = sum;
        if (end || late) {
            for (std::uint32_t w = threadIdx.x; w < view.workers; w += region_threads)
                put(view.line_of(w) + 1, std::uint32_t{late ? overdue : ended});
            if (threadIdx.x == 0) view.verdict[0] = late ? overdue : ended;
            return;
        }
        if (least != nothing && least != reported && view.window != nothing) {
            reported = least;
            for (std::uint32_t w = threadIdx.x; w < view.workers; w += region_threads)
                put(view.line_of(w), least);
        }
        __syncthreads();
    }
}

}  // namespace lockstep::frontier::regions_gpu
