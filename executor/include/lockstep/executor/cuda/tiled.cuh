// The tiled traversal on the GPU: one persistent thread block an item block, no device-wide barrier.
//
// A launch is an item group that meets a user group, or some of its phases (tile_grid.hpp). A block's items
// stay in shared memory through it. Its warps have three parts:
// - one moves the user blocks: it stores the one just finished, says so by the block's flag, waits for the
//   flag of the block that had the next one before (a neighbour, two phases ago), and loads it;
// - some run the chain of each tile, the long star of the block's most rated item: hardly anything else meets
//   that item, so they go on into the next tile while
// - the others run the steps of this one. The first step shares nothing with the chain, the later ones wait
//   for its end.
#pragma once

#include "lockstep/executor/cuda/runtime.cuh"
#include "lockstep/executor/cuda/tile_on_chip.cuh"
#include "lockstep/executor/cuda/user_blocks.cuh"

namespace lockstep::gpu::tiled {

/// The chains of all tiles, by warp `rank` of theirs.
template <class Op>
__device__ __forceinline__ void run_chains(const Op& op, const TiledView& v, const Memory<Op>& memory,
                                           int rank) {
    const Crew<Op> crew(v);
    const bool has_place = rank < crew.places, runs = rank == crew.places;
    typename LongStar<Op>::Next next{};
    unsigned parity = 0;
    int ahead = rank;  // segments of others before the next one here
#pragma unroll 1
    for (int t = 0, b = 0; t < v.phases; ++t, b = t % buffers) {
        memory.full(b).wait(t / buffers % 2);
        __syncwarp();
        const Tile tile(op, memory, b);
        if (tile.has_chain) {
            const auto chain = tile.star(load_uint2(tile.stars));
            if constexpr (Crew<Op>::segments) {
                constexpr int B = LongStar<Op>::segment;
                const LongStar<Op> on_chip(op, shared + memory.long_star_at, tile.null);
                const int segments = (chain.size + B - 1) / B;
                if (has_place) {
#pragma unroll 1
                    for (; ahead < segments; ahead += crew.places, parity ^= 1)
                        on_chip.run(rank, parity, chain.pairs + 8 * B * ahead, min(B, chain.size - B * ahead),
                                    chain.leaves);
                    ahead -= segments;
                } else {
                    on_chip.follow(next, crew.places, chain.centre, chain.size);
                }
            } else if (runs) {
                const auto own = tile.group() == 0 ? chain : tile.null_star();
                tile.run({own, load_uint2(own.pairs), chain.size});
            }
        }
        bulk_fence_shared();
        barrier_arrive(chain_end + b, 32 * (crew.step_warps + crew.chain_warps));
        barrier_arrive(tile_end + b, threads);  // its reads of the stream are over
        // Who takes the centre to chip waits until nothing else meets it.
        if (tile.chain_is_met && runs) barrier_wait(item_free, 32 * (crew.step_warps + 1));
    }
}

/// The steps of all tiles, by warp `rank` of theirs.
template <class Op>
__device__ __forceinline__ void run_steps(const Op& op, const TiledView& v, const Memory<Op>& memory,
                                          const int warp) {
    const Crew<Op> crew(v);
    const auto step_op = on_step_lanes(op);
#pragma unroll 1
    for (int t = 0, b = 0; t < v.phases; ++t, b = t % buffers) {
        memory.full(b).wait(t / buffers % 2);
        __syncwarp();
        const Tile tile(step_op, memory, b);
        const int steps = tile.step_count();
        // A step's first turns are looked up before the barrier; who had the longest stars is not the
        // same from step to step.
        int first = tile.first_star(0), last = tile.first_star(min(1, steps)), rank = warp;
        auto turn = tile.turn(tile.turn_begin(first, 0, rank, crew.step_warps), last);
#pragma unroll 1
        for (int s = 0; s < max(steps, 1); ++s) {
            tile.run(turn);
#pragma unroll 1
            for (int round = 1;; ++round) {
                const int base = tile.turn_begin(first, round, rank, crew.step_warps);
                if (base >= last) break;
                tile.run(tile.turn(base, last));
            }
            first = last, last = tile.first_star(min(s + 2, steps));
            rank += crew.step_warps / 2;
            if (rank >= crew.step_warps) rank -= crew.step_warps;  // a remainder would take 30 instructions
            turn = tile.turn(tile.turn_begin(first, 0, rank, crew.step_warps), last);
            const bool beside_chain = s == 0;
            barrier_wait(beside_chain ? chain_end + b : step_end,
                         32 * (crew.step_warps + (beside_chain ? crew.chain_warps : 0)));
        }
        if (crew.chain_warps && tile.chain_is_met) barrier_arrive(item_free, 32 * (crew.step_warps + 1));
        bulk_fence_shared();
        barrier_arrive(tile_end + b, threads);
    }
}

/// The vector that begins with this word.
template <class Op>
LOCKSTEP_HD typename Op::Element* vector_at(float* word) {
    return reinterpret_cast<typename Op::Element*>(word);
}

template <class Op>
__global__ void __launch_bounds__(threads, 1) sweep_kernel(const TiledView v, const Op parameter) {
#if !defined(LOCKSTEP_NO_BULK_COPIES)
    Op op = parameter;
    asm volatile(""
                 : "+f"(op.rate), "+f"(op.keep));  // kept in registers: constant memory would be waited for
    const Memory<Op> memory(v);
    const int p = static_cast<int>(blockIdx.x), warp = static_cast<int>(threadIdx.x) / 32;
    const EdgeId first_item = v.col_parts[p];
    const int items = static_cast<int>(v.col_parts[p + 1] - first_item);
    const int worker = static_cast<int>(threadIdx.x) / Op::Lanes::lanes, workers = threads / Op::Lanes::lanes;
#pragma unroll 1
    for (int i = worker; i < items; i += workers)
        op.put(vector_at<Op>(shared + i * v.stride), 0, op.load_col(v.col_order[first_item + i]));
    for (int i = static_cast<int>(threadIdx.x); i < v.stride; i += threads) shared[memory.null_at + i] = 0;
    if (threadIdx.x == 0) {
        LongStar<Op>::initialise(op, shared + memory.long_star_at, Crew<Op>(v).places);
#pragma unroll 1
        for (int b = 0; b < buffers; ++b) memory.full(b).initialise(1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        bulk_fence();
    }
    __syncthreads();
    if (warp == Crew<Op>::moving_warp) {
        move_users(v, memory);
    } else if (warp >= v.step_warps) {
        run_chains(op, v, memory, warp - v.step_warps);
    } else {
        run_steps(op, v, memory, warp);
    }
    __syncthreads();
#pragma unroll 1
    for (int i = worker; i < items; i += workers)
        op.store_col(v.col_order[first_item + i], op.take(vector_at<Op>(shared + i * v.stride), 0));
#endif
}

}  // namespace lockstep::gpu::tiled
