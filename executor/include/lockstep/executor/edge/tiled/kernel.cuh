// The tiled walk on the GPU: one persistent thread block per block of columns. Instead of a device-wide
// barrier, a thread block waits for flags of its neighbours.
//
// One launch runs all tiles in which one column group meets one row group, or some phases of them
// (tile_grid.hpp). A thread block keeps the vectors of its columns in shared memory during the launch; the
// blocks of rows move from thread block to thread block. The warps have three roles:
// - One warp moves the blocks of rows. It stores the rows that its thread block has just finished and sets
//   the flag of its thread block. Then it waits for the flag of the neighbour that has used the next rows two
//   phases earlier, and loads these rows.
// - Some warps run the chain of each tile, which is the long star of the column with the most edges. Other
//   stars seldom use this column, so these warps go on to the next tile before the steps are finished.
// - The other warps run the steps of the tile. The first step shares no vertex with the chain; the later
//   steps wait for the end of the chain.
#pragma once

#include "lockstep/executor/device/warp.cuh"
#include "lockstep/executor/edge/tiled/row_blocks.cuh"
#include "lockstep/executor/edge/tiled/tile.cuh"

namespace lockstep::gpu::tiled {

/// Runs the chains of all tiles of a thread block. `rank` is the index of this warp among the warps for
/// chains.
template <class Op>
__device__ __forceinline__ void run_chains(const Op& op, const TiledView& v, const WarpRoles& crew,
                                           const Memory<Op>& memory, int rank) {
    const bool has_place = rank < crew.places, runs = rank == crew.places;
    typename LongStar<Op>::Next next{};
    unsigned parity = 0;
    int ahead = rank;  // number of segments before this warp's next one, which other warps process
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
        barrier_arrive(tile_end + b, threads);  // this warp no longer reads the stream
        // The steps of this tile use the column of the next chain. Wait until they are done before loading
        // the centre.
        if (tile.chain_is_met && runs) barrier_wait(col_free, 32 * (crew.step_warps + 1));
    }
    if (runs && threadIdx.x % 32 == 0) add_to(v.counters + updates, done);
}

/// Runs the steps of all tiles of a thread block. `warp` is the index of this warp among the warps for steps.
template <class Op>
__device__ __forceinline__ void run_steps(const Op& op, const TiledView& v, const WarpRoles& crew,
                                          const Memory<Op>& memory, const int warp) {
    const auto step_op = on_step_lanes(op);
    unsigned done = 0;
#pragma unroll 1
    for (int t = 0, b = 0; t < v.phases; ++t, b = t % buffers) {
        memory.full(b).wait(t / buffers % 2);
        __syncwarp();
        const Tile tile(step_op, memory, b);
        const int steps = tile.step_count();
        // The stars of the first turn of a step are loaded before the barrier. The rank of a warp changes
        // from step to step, so that each time another warp gets the longest stars.
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
            // a modulo operation would take 30 instructions
            if (rank >= crew.step_warps) rank -= crew.step_warps;
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

/// Calls copy(address in shared memory, address in device memory) for each 16-byte piece of the vectors of
/// the columns of this thread block.
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
template <SharedMemoryOperator Op>
__global__ void __launch_bounds__(threads, 1) sweep_kernel(const TiledView v, const Op parameter) {
#if !defined(LOCKSTEP_NO_BULK_COPIES)
    Op op = parameter;
    if constexpr (requires { op.keep_in_registers(); }) op.keep_in_registers();
    const WarpRoles crew(v.step_warps, Op::affine);
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
    if (warp == WarpRoles::moving_warp) {
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
