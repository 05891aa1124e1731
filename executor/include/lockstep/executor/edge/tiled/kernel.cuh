// The tiled walk on the GPU: one persistent thread block a block of columns, no device-wide barrier.
//
// A launch is a column group that meets a row group, or some of its phases (tile_grid.hpp). A block's cols
// stay in shared memory through it. Its warps have three parts:
// - one moves the blocks of rows: it stores the one just finished, says so by the block's flag, waits for the
//   flag of the block that had the next one before (a neighbour, two phases ago), and loads it;
// - some run the chain of each tile, the long star of the block's column of most edges: hardly anything else
//   meets that column, so they go on into the next tile while
// - the others run the steps of this one. The first step shares nothing with the chain, the later ones wait
//   for its end.
#pragma once

#include "lockstep/executor/device/warp.cuh"
#include "lockstep/executor/edge/tiled/row_blocks.cuh"
#include "lockstep/executor/edge/tiled/tile.cuh"

namespace lockstep::gpu::tiled {

/// The chains of all tiles, by warp `rank` of theirs.
template <class Op>
__device__ __forceinline__ void run_chains(const Op& op, const TiledView& v, const Crew& crew,
                                           const Memory<Op>& memory, int rank) {
    const bool has_place = rank < crew.places, runs = rank == crew.places;
    typename LongStar<Op>::Next next{};
    unsigned parity = 0;
    int ahead = rank;  // segments of others before the next one here
    unsigned done = 0;
#pragma unroll 1
    for (int t = 0, b = 0; t < v.phases; ++t, b = t % buffers) {
        memory.full(b).wait(t / buffers % 2);
        __syncwarp();
        const Tile tile(op, memory, b);
        if (tile.has_chain) {
            const auto chain = tile.star(load_uint2(tile.stars));
            done += static_cast<unsigned>(chain.size);
            if constexpr (Op::affine) {
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
        if (tile.chain_is_met && runs) barrier_wait(col_free, 32 * (crew.step_warps + 1));
    }
    if (runs && threadIdx.x % 32 == 0) add_to(v.counters + updates, done);
}

/// The steps of all tiles, by warp `rank` of theirs.
template <class Op>
__device__ __forceinline__ void run_steps(const Op& op, const TiledView& v, const Crew& crew,
                                          const Memory<Op>& memory, const int warp) {
    const auto step_op = on_step_lanes(op);
    unsigned done = 0;
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
            done += static_cast<unsigned>(turn.star.size);
#pragma unroll 1
            for (int round = 1;; ++round) {
                const int base = tile.turn_begin(first, round, rank, crew.step_warps);
                if (base >= last) break;
                const auto more = tile.turn(base, last);
                tile.run(more);
                done += static_cast<unsigned>(more.star.size);
            }
            first = last, last = tile.first_star(min(s + 2, steps));
            rank += crew.step_warps / 2;
            if (rank >= crew.step_warps) rank -= crew.step_warps;  // a remainder would take 30 instructions
            turn = tile.turn(tile.turn_begin(first, 0, rank, crew.step_warps), last);
            const bool beside_chain = s == 0;
            barrier_wait(beside_chain ? chain_end + b : step_end,
                         32 * (crew.step_warps + (beside_chain ? crew.chain_warps : 0)));
        }
        if (crew.chain_warps && tile.chain_is_met) barrier_arrive(col_free, 32 * (crew.step_warps + 1));
        bulk_fence_shared();
        barrier_arrive(tile_end + b, threads);
    }
    add_once<std::remove_const_t<decltype(step_op)>>(v.counters + updates, done);
}

/// copy(vector on chip, the same in memory) by 16 bytes, for the columns of a block.
template <class Copy>
__device__ __forceinline__ void for_each_vector_piece(const TiledView& v, Copy copy) {
    const EdgeId first = v.col_parts[blockIdx.x];
    const int cols = static_cast<int>(v.col_parts[blockIdx.x + 1] - first), pieces = v.stride / 4;
#pragma unroll 1
    for (int n = static_cast<int>(threadIdx.x); n < cols * pieces; n += threads) {
        const EdgeId i = n / pieces, place = v.col_order ? v.col_order[first + i] : first + i;
        copy(reinterpret_cast<float4*>(shared) + n,
             reinterpret_cast<float4*>(v.cols + place * v.stride) + n % pieces);
    }
}
template <OnChipOperator Op>
__global__ void __launch_bounds__(threads, 1) sweep_kernel(const TiledView v, const Op parameter) {
#if !defined(LOCKSTEP_NO_BULK_COPIES)
    Op op = parameter;
    if constexpr (requires { op.keep_in_registers(); }) op.keep_in_registers();
    const Crew crew(v.step_warps, Op::affine);
    const Memory<Op> memory(v, crew);
    for_each_vector_piece(v, [](float4* on_chip, const float4* vector) { *on_chip = __ldcg(vector); });
    for (int i = static_cast<int>(threadIdx.x); i < v.stride; i += threads) shared[memory.null_at + i] = 0;
    if (threadIdx.x == 0) {
        if constexpr (Op::affine) LongStar<Op>::initialise(op, shared + memory.long_star_at, crew.places);
#pragma unroll 1
        for (int b = 0; b < buffers; ++b) memory.full(b).initialise(1);
        BulkBarrier::initialised();
    }
    __syncthreads();
    const int warp = static_cast<int>(threadIdx.x) / 32;
    if (warp == Crew::moving_warp) {
        move_rows(v, memory);
    } else if (warp >= crew.step_warps) {
        run_chains(op, v, crew, memory, warp - crew.step_warps);
    } else {
        run_steps(op, v, crew, memory, warp);
    }
    __syncthreads();
    for_each_vector_piece(v, [](const float4* on_chip, float4* vector) { *vector = *on_chip; });
#endif
}

}  // namespace lockstep::gpu::tiled
