// A tile on chip: its stars, and how a warp runs some of them side by side.
#pragma once

#include "lockstep/executor/cuda/tiled_memory.cuh"
#include "lockstep/executor/star.hpp"

namespace lockstep::gpu::tiled {

/// The operator for the steps: of ranks 33 to 128 a vector is on half as many threads, so that twice as many
/// stars run at once.
template <class Op>
__device__ __forceinline__ auto on_step_lanes(const Op& op) {
    constexpr int lanes = Op::Lanes::lanes, held = lanes >= 16 && Op::chunks_per_lane == 1 ? 2 : 1;
    return op.template on<WarpLanes<lanes, held>, Op::clips, Op::full>();
}

/// A tile on chip.
template <class Op>
struct Tile {
    using Vector = typename Op::Row;
    static constexpr int groups = 32 / Op::Lanes::threads;
    using Address = std::uint32_t;  ///< in shared memory

    struct Star {
        Address pairs;
        int size;                ///< edges
        Address centre, leaves;  ///< the centre's vector; the beginning of the leaves' vectors
    };

    const Op& op;
    Address items, users, null, words, steps, stars, pairs;
    bool has_chain;     ///< the first star
    bool chain_is_met;  ///< its item, by other stars

    template <class AnyLanes>
    __device__ Tile(const Op& o, const Memory<AnyLanes>& memory, int buffer) : op(o) {
        items = shared_address(shared), users = items + 4 * memory.users(buffer);
        null = items + 4 * memory.null_at;
        words = items + 4 * (memory.words_at + buffer * memory.words);
        const std::uint32_t first = load_word(words);
        has_chain = first & 1, chain_is_met = load_word(words + 12);
        stars = words + 4 * (first >> 16), pairs = words + 4 * load_word(words + 8);
        steps = words + 16;
    }
    __device__ __forceinline__ int step_count() const { return static_cast<int>(load_word(words + 4)); }
    __device__ __forceinline__ int first_star(int step) const {
        return static_cast<int>(load_word(steps + 4 * step));
    }
    __device__ __forceinline__ Star star(uint2 word) const {
        const bool of_user = word.y >> 31;
        return {pairs + (word.x & 0xffff) * 16, static_cast<int>(word.x >> 16),
                (of_user ? users : items) + (word.y & 0x7fffffff), of_user ? items : users};
    }
    __device__ __forceinline__ Star null_star() const { return {pairs, 0, null, null}; }

    /// What a warp does in a step at a time: a star a lane group, none of more than `longest` edges.
    struct Turn {
        Star star;
        uint2 ids;  ///< of the first pair's leaves
        int longest;
    };
    /// The first star of a warp's turn: stars are sorted, so who has the longest of a round takes the
    /// shortest of the next.
    __device__ __forceinline__ static int turn_begin(int first, int round, int rank, int warps) {
        return first + (round * warps + (round % 2 ? warps - 1 - rank : rank)) * groups;
    }
    __device__ __forceinline__ Turn turn(int base, int last) const {
        // Without branches, which would cost more than the loads that they leave out.
        const bool there = base + group() < last;
        const uint2 word = load_uint2(stars + 8 * (there ? base + group() : 0));
        Star s = star(word);
        if (!there) s = null_star();
        const auto longest = __reduce_max_sync(~0U, static_cast<unsigned>(s.size));
        return {s, load_uint2(s.pairs), static_cast<int>(longest)};
    }
    __device__ __forceinline__ static int group() {
        return static_cast<int>(threadIdx.x) % 32 / Op::Lanes::threads;
    }

    /// The groups of a warp go on together, those with shorter stars idly.
    __device__ __forceinline__ void run(const Turn& turn) const {
        const Star& s = turn.star;
        if (turn.longest == 0) return;
        const Address own = Op::template chunk_bytes<> * Op::Lanes::lane(0), leaves = s.leaves + own;
        const Address last = s.pairs + 16 * (max(s.size - 1, 0) / 2);
        Vector centre = op.take_lane(s.centre + own);
        Address now = s.pairs;
        int left = s.size, longest = turn.longest;
        // Two pairs are on their way while one is worked on: the vectors of the next, the ids of the one
        // after.
        struct Pair {
            Address at[2];
            Vector leaf[2];
        };
        uint2 ids = turn.ids;
        const auto fetch = [&](Pair& pair, Address after) {
            pair.at[0] = leaves + ids.x, pair.at[1] = leaves + ids.y;
            pair.leaf[0] = op.take_lane(pair.at[0]), pair.leaf[1] = op.take_lane(pair.at[1]);
            ids = load_uint2(min(after, last));
        };
        const auto work = [&](Pair& pair, Pair& next) {
            const float2 ratings = load_float2(now + 8);
            fetch(next, now + 32);
            const float rating[2] = {ratings.x, ratings.y};
            run_star_pair<!Op::clips>(op, centre, pair.leaf, rating, left > 1);
            op.put_lane(pair.at[0], pair.leaf[0], left > 0);
            op.put_lane(pair.at[1], pair.leaf[1], left > 1);
            op.put_lane(s.centre + own, centre, left == 1 || left == 2);
            now = min(now + 16, last);
            left -= 2, longest -= 2;
            return longest > 0;
        };
        Pair even, odd;
        fetch(even, now + 16);
#pragma unroll 1
        while (work(even, odd) && work(odd, even)) {
        }
    }
};

}  // namespace lockstep::gpu::tiled
