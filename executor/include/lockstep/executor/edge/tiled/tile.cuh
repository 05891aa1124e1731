// How a warp of the tiled kernel processes several stars of a tile concurrently, with all vectors in shared
// memory.
#pragma once

#include "lockstep/executor/device/bulk.cuh"
#include "lockstep/executor/device/shared.cuh"
#include "lockstep/executor/edge/star/arithmetic.hpp"
#include "lockstep/executor/edge/star/long_star.cuh"
#include "lockstep/executor/edge/tiled/memory.hpp"

namespace lockstep::gpu::tiled {

extern __shared__ __align__(128) float shared[];

/// The parts of shared memory (Map), as pointers, for one operator.
template <class Op>
struct Memory : Map {
    __device__ Memory(const TiledView& v, const WarpRoles& crew)
        : Map(v, LongStar<Op>::fixed_floats + crew.places * LongStar<Op>::place_floats) {}
    __device__ __forceinline__ int rows(int buffer) const { return rows_at + buffer * row_words; }
    __device__ __forceinline__ std::uint32_t* stream(int buffer) const {
        return reinterpret_cast<std::uint32_t*>(shared) + words_at + buffer * words;
    }
    __device__ __forceinline__ BulkBarrier& full(int buffer) const {
        static_assert(sizeof(BulkBarrier) == 4 * barrier_words);
        return reinterpret_cast<BulkBarrier*>(shared + barriers_at)[buffer];
    }
};

/// Returns the operator with the number of lanes that is best for the stars of the steps.
template <class Op>
__device__ __forceinline__ auto on_step_lanes(const Op& op) {
    if constexpr (requires { op.on_step_lanes(); })
        return op.on_step_lanes();
    else
        return op;
}

/// The tile that a thread block is processing: the addresses of its vectors and of its stream (layout.hpp) in
/// shared memory.
template <class Op>
struct Tile {
    using Vector = typename Op::Row;
    static constexpr int groups = 32 / Op::Lanes::threads;
    using Address = std::uint32_t;  ///< address in shared memory

    struct Star {
        Address pairs;
        int size;  ///< number of edges
        /// address of the centre's vector, and of the block that contains the leaves' vectors
        Address centre, leaves;
    };

    const Op& op;
    Address cols, rows, null, words, steps, stars, pairs;
    bool has_chain;     ///< whether the first star is the chain of the tile
    bool chain_is_met;  ///< whether other stars of this tile use the column of the next tile's chain

    template <class AnyLanes>
    __device__ Tile(const Op& o, const Memory<AnyLanes>& memory, int buffer) : op(o) {
        cols = shared_address(shared), rows = cols + 4 * memory.rows(buffer);
        null = cols + 4 * memory.null_at;
        words = cols + 4 * (memory.words_at + buffer * memory.words);
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
        const bool of_row = word.y >> 31;
        return {pairs + (word.x & 0xffff) * 16, static_cast<int>(word.x >> 16),
                (of_row ? rows : cols) + (word.y & 0x7fffffff), of_row ? cols : rows};
    }
    __device__ __forceinline__ Star null_star() const { return {pairs, 0, null, null}; }

    /// The work that a warp does at one time in a step: one star per lane group, of which the longest has
    /// `longest` edges.
    struct StarBatch {
        Star star;
        uint2 ids;  ///< leaves of the first pair of edges
        int longest;
    };
    /// Returns the index of the first star of a warp's turn `round` in a step. The stars are sorted by
    /// length. In odd rounds the order of the warps is reversed, so that the warp with the longest stars of
    /// one round gets the shortest stars of the next.
    __device__ __forceinline__ static int turn_begin(int first, int round, int rank, int warps) {
        return first + (round * warps + (round % 2 ? warps - 1 - rank : rank)) * groups;
    }
    __device__ __forceinline__ StarBatch turn(int base, int last) const {
        // There are no branches here, because a branch takes longer than the loads that it would avoid.
        const bool there = base + group() < last;
        const uint2 word = load_uint2(stars + 8 * (there ? base + group() : 0));
        Star s = star(word);
        if (!there) s = null_star();
        const auto longest = most_of(~0U, static_cast<unsigned>(s.size));
        return {s, load_uint2(s.pairs), static_cast<int>(longest)};
    }
    __device__ __forceinline__ static int group() {
        return static_cast<int>(threadIdx.x) % 32 / Op::Lanes::threads;
    }

    /// Runs a turn. All lane groups of the warp run as many iterations as the longest star needs; groups with
    /// shorter stars are idle at the end.
    __device__ __forceinline__ void run(const StarBatch& turn) const {
        const Star& s = turn.star;
        if (turn.longest == 0) return;
        const Address own = Op::lane_offset(), leaves = s.leaves + own;
        const Address last = s.pairs + 16 * (max(s.size - 1, 0) / 2);
        Vector centre = op.load_lane(s.centre + own);
        Address now = s.pairs;
        int left = s.size, longest = turn.longest;
        // Two further pairs of edges are loaded while one pair is processed: the vectors of the next pair,
        // and the leaf offsets of the pair after it.
        struct Pair {
            Address at[2];
            Vector leaf[2];
        };
        uint2 ids = turn.ids;
        const auto fetch = [&](Pair& pair, Address after) {
            pair.at[0] = leaves + ids.x, pair.at[1] = leaves + ids.y;
            pair.leaf[0] = op.load_lane(pair.at[0]), pair.leaf[1] = op.load_lane(pair.at[1]);
            ids = load_uint2(min(after, last));
        };
        const auto work = [&](Pair& pair, Pair& next) {
            const float2 values = load_float2(now + 8);
            fetch(next, now + 32);
            const float value[2] = {values.x, values.y};
            StarEdges<2>::run(op, centre, pair.leaf, value, left);
            op.store_lane(pair.at[0], pair.leaf[0], left > 0);
            op.store_lane(pair.at[1], pair.leaf[1], left > 1);
            op.store_lane(s.centre + own, centre, left == 1 || left == 2);
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
