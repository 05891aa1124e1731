// How user blocks come to a multiprocessor of the tiled traversal and leave it, with the streams of its
// tiles.
#pragma once

#include "lockstep/executor/cuda/tiled_memory.cuh"

namespace lockstep::gpu::tiled {

/// The moving warp: its first thread takes user blocks and streams in and out.
template <class Op>
__device__ void move_users(const TiledView& v, const Memory<Op>& memory) {
    const int p = static_cast<int>(blockIdx.x), last = v.item_blocks - 1;
    // Who has our users before us, and how many phases before: even and odd user blocks go opposite ways.
    const auto comes_round = [&](int phase) { return phase % 2 ? p == 0 : p == last; };
    const auto before = [&](int phase) { return comes_round(phase) ? last - p : phase % 2 ? p - 1 : p + 1; };
    const auto lead = [&](int phase) { return comes_round(phase) ? v.user_blocks - 2 * last : 2; };
    const auto block = [&](int t) {
        const int phase = v.first_phase + t;
        return (2 * p + (phase % 2 ? v.user_blocks - phase : phase)) % v.user_blocks;
    };
    // Where a phase's users and stream lie and whose flag they wait for, looked up long before they are
    // needed.
    struct Visit {
        float* users;
        const std::uint32_t* words;
        unsigned user_bytes, word_bytes;
        const unsigned* flag;
        unsigned wanted;  // of the flag, 0: who comes first
    };
    const auto look_up = [&](int t) {
        const int u = block(t), phase = v.first_phase + t;
        const EdgeId tile = EdgeId(phase) * v.item_blocks + p;
        const EdgeId first_word = v.tile_words[tile], first_user = v.row_parts[u];
        return Visit{v.users + first_user * v.stride,
                     v.words + (first_word - v.first_word),
                     static_cast<unsigned>((v.row_parts[u + 1] - first_user) * v.stride * 4),
                     static_cast<unsigned>((v.tile_words[tile + 1] - first_word) * 4),
                     v.done + before(phase),
                     static_cast<unsigned>(max(phase - lead(phase) + 1, 0))};
    };
    const auto load_stream = [&](const Visit& visit, int b) {
        memory.full(b).arrive_expecting(visit.word_bytes + visit.user_bytes);
        bulk_load(memory.stream(b), visit.words, visit.word_bytes, memory.full(b));
    };
    const auto load_users = [&](const Visit& visit, int b) {
        if (visit.wanted) {
#pragma unroll 1
            while (acquire_flag(visit.flag) < visit.wanted) {
            }
            bulk_fence_global();
        }
        if (visit.user_bytes)
            bulk_load(shared + memory.users(b), visit.users, visit.user_bytes, memory.full(b));
    };
    const bool moves = threadIdx.x % 32 == 0;
    Visit now = look_up(0), after = look_up(min(1, v.phases - 1));
    if (moves) {
        load_stream(now, 0), load_users(now, 0);
        if (v.phases > 1) load_stream(after, 1), load_users(after, 1);
    }
#pragma unroll 1
    for (int t = 0; t < v.phases; ++t) {
        const int b = t % buffers;
        const bool more = t + buffers < v.phases;
        const Visit next = look_up(min(t + buffers, v.phases - 1));
        barrier_wait(tile_end + b, threads);
        if (moves) {
            if (now.user_bytes) bulk_write(now.users, shared + memory.users(b), now.user_bytes);
            if (more) load_stream(next, b);
            bulk_writes_read();
            bulk_writes_done();
            bulk_fence_global();
            release_flag(v.done + p, static_cast<unsigned>(v.first_phase + t + 1));
            if (more) load_users(next, b);
        }
        now = after, after = next;
    }
}

}  // namespace lockstep::gpu::tiled
