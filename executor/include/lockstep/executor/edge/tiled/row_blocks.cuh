// The warp that moves data in the tiled kernel: it loads blocks of rows and the streams of tiles into shared
// memory, and stores the rows.
#pragma once

#include "lockstep/executor/edge/tiled/tile.cuh"

namespace lockstep::gpu::tiled {

/// Indices of the named barriers of a thread block. tile_end and chain_end have one barrier per buffer.
enum Barrier { step_end = 1, tile_end = 2, chain_end = tile_end + buffers, col_free = chain_end + buffers };

/// The work of the moving warp. Its first thread starts all copies: it loads the rows and the stream of each
/// phase, and stores the rows.
template <class Op>
__device__ void move_rows(const TiledView& v, const Memory<Op>& memory) {
    const int p = static_cast<int>(blockIdx.x), last = v.col_blocks - 1;
    // Blocks of rows with an even index move through the thread blocks in one direction, the others in the
    // other direction. before(phase): the thread block that has the rows of `phase` before this one;
    // lead(phase): the number of phases between the two.
    const auto comes_round = [&](int phase) { return phase % 2 ? p == 0 : p == last; };
    const auto before = [&](int phase) { return comes_round(phase) ? last - p : phase % 2 ? p - 1 : p + 1; };
    const auto lead = [&](int phase) { return comes_round(phase) ? v.row_blocks - 2 * last : 2; };
    const auto block = [&](int t) {
        const int phase = v.first_phase + t;
        return (2 * p + (phase % 2 ? v.row_blocks - phase : phase)) % v.row_blocks;
    };
    // The addresses of the rows and of the stream of one phase, and the flag to wait for. They are computed
    // long before they are used.
    struct PhaseAddresses {
        float* rows;
        const std::uint32_t* words;
        unsigned row_bytes, word_bytes;
        const unsigned* flag;
        // value of the flag to wait for; 0 if no thread block has had these rows in this launch's
        // super-stratum
        unsigned wanted;
    };
    // Returns the value of a thread block's flag after it has finished `phase`. In a sweep the value only
    // increases.
    const auto count = [&](int phase) { return static_cast<unsigned>(v.phases_before + phase + 1); };
    const auto look_up = [&](int t) {
        const int u = block(t), phase = v.first_phase + t;
        const EdgeId tile = EdgeId(phase) * v.col_blocks + p;
        const EdgeId first_word = v.tile_words[tile], first_row = v.row_parts[u];
        const auto rows = static_cast<unsigned>(v.row_parts[u + 1] - first_row);
        return PhaseAddresses{v.rows + first_row * v.stride,
                              v.words + (first_word - v.first_word),
                              rows * static_cast<unsigned>(v.stride) * 4,
                              static_cast<unsigned>((v.tile_words[tile + 1] - first_word) * 4),
                              v.done + before(phase),
                              phase < lead(phase) ? 0 : count(phase - lead(phase))};
    };
    const auto load_stream = [&](const PhaseAddresses& visit, int b) {
        memory.full(b).arrive_expecting(visit.word_bytes + visit.row_bytes);
        bulk_load(memory.stream(b), visit.words, visit.word_bytes, memory.full(b));
    };
    const auto load_rows = [&](const PhaseAddresses& visit, int b) {
        if (visit.wanted) {
#pragma unroll 1
            while (acquire_flag(visit.flag) < visit.wanted) {
            }
            bulk_fence_global();
        }
        if (visit.row_bytes) bulk_load(shared + memory.rows(b), visit.rows, visit.row_bytes, memory.full(b));
    };
    const bool moves = threadIdx.x % 32 == 0;
    PhaseAddresses now = look_up(0), after = look_up(min(1, v.phases - 1));
    if (moves) {
        load_stream(now, 0), load_rows(now, 0);
        if (v.phases > 1) load_stream(after, 1), load_rows(after, 1);
    }
#pragma unroll 1
    for (int t = 0; t < v.phases; ++t) {
        const int b = t % buffers;
        const bool more = t + buffers < v.phases;
        const PhaseAddresses next = look_up(min(t + buffers, v.phases - 1));
        barrier_wait(tile_end + b, threads);
        if (moves) {
            if (now.row_bytes) bulk_write(now.rows, shared + memory.rows(b), now.row_bytes);
            if (more) load_stream(next, b);
            wait_for_bulk_reads();
            wait_for_bulk_writes();
            bulk_fence_global();
            release_flag(v.done + p, count(v.first_phase + t));
            if (more) load_rows(next, b);
        }
        now = after, after = next;
    }
}

}  // namespace lockstep::gpu::tiled
