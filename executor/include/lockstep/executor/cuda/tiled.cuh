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

#include "lockstep/executor/cuda/bulk.cuh"
#include "lockstep/executor/cuda/long_star.cuh"
#include "lockstep/executor/cuda/runtime.cuh"
#include "lockstep/executor/operator.hpp"
#include "lockstep/executor/star.hpp"

namespace lockstep::gpu {

/// What a launch sees: an item group that meets a user group.
struct TiledView {
    int item_blocks, user_blocks;            ///< of a group
    int first_phase, phases;                 ///< of this launch
    int most_items, most_users, most_words;  ///< of a block, of a tile's stream
    int stride;                              ///< 32-bit words from vector to vector
    int step_warps;                          ///< warps for the steps
    const std::uint32_t* words;              ///< from word `first_word` on
    EdgeId first_word;
    const EdgeId* tile_words;               ///< of the super-tile (tiled_layout.hpp)
    const EdgeId *row_parts, *col_parts;    ///< of the groups
    const VertexId *row_order, *col_order;  ///< of all
    float* users;                           ///< the rows' vectors as words, in row_order
    unsigned* done;                         ///< item block of the group -> phases it has finished
};

namespace tiled {

inline constexpr int warps = 16, threads = 32 * warps;
/// Which warps do what: those of the steps, those of the chain, the moving one. Where long stars are mapped
/// the last one of the chain follows the segments of the others.
template <class Op>
struct Crew {
    static constexpr int moving_warp = warps - 1;
    static constexpr bool maps = LongStar<Op>::used;
    static constexpr int fewest_chain_warps = maps ? 2 : 1;
    static constexpr int step_warps_beside_chain = maps ? 9 : moving_warp - 1;  // docs/performance.md
    int step_warps, chain_warps, places;

    __host__ __device__ explicit Crew(const TiledView& v)
        : step_warps(v.step_warps),
          chain_warps(moving_warp - step_warps),
          places(maps && chain_warps ? chain_warps - 1 : 0) {}
};
inline constexpr int buffers = 2;

/// Named barriers; those of a buffer are followed by the other buffer's.
enum Barrier { step_end = 1, tile_end = 2, chain_end = tile_end + buffers, item_free = chain_end + buffers };

extern __shared__ __align__(128) float shared[];

/// What lies in shared memory: 32-bit words from its beginning. Offsets, not pointers: so the compiler sees
/// that everything lies in shared memory. Each part is a multiple of 16 bytes.
template <class Op>
struct Memory {
    int null_at;  ///< a vector of zeros, behind the items
    int users_at, user_floats, words_at, words;
    int long_star_at, barriers_at, end;

    __host__ __device__ explicit Memory(const TiledView& v)
        : null_at(v.most_items * v.stride),
          users_at(null_at + v.stride),
          user_floats(v.most_users * v.stride),
          words_at(users_at + buffers * user_floats),
          words(v.most_words),
          long_star_at(words_at + buffers * words),
          barriers_at(long_star_at + LongStar<Op>::floats(Crew<Op>(v).places)),
          end(barriers_at + buffers * static_cast<int>(sizeof(BulkBarrier) / sizeof(float))) {}
    __host__ __device__ EdgeId bytes() const { return EdgeId{4} * static_cast<unsigned>(end); }
    __device__ __forceinline__ int users(int buffer) const { return users_at + buffer * user_floats; }
    __device__ __forceinline__ std::uint32_t* stream(int buffer) const {
        return reinterpret_cast<std::uint32_t*>(shared) + words_at + buffer * words;
    }
    __device__ __forceinline__ BulkBarrier& full(int buffer) const {
        return reinterpret_cast<BulkBarrier*>(shared + barriers_at)[buffer];
    }
};

/// The moving warp: its first thread takes user blocks and streams in and out.
template <class Op>
__device__ void move_users(const TiledView& v, const Memory<Op>& memory) {
    const int p = static_cast<int>(blockIdx.x), last = v.item_blocks - 1;
    // Who has our users before us, and how many phases before: even and odd user blocks go opposite ways.
    const auto comes_round = [&](int t) { return t % 2 ? p == 0 : p == last; };
    const auto before = [&](int t) { return comes_round(t) ? last - p : t % 2 ? p - 1 : p + 1; };
    const auto lead = [&](int t) { return comes_round(t) ? v.user_blocks - 2 * last : 2; };
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

/// Long vectors on half as many threads, so that twice as many stars run at once.
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

/// The chains of all tiles, by warp `rank` of theirs.
template <class Op>
__device__ __forceinline__ void run_chains(const Op& op, const TiledView& v, const Memory<Op>& memory,
                                           int rank) {
    constexpr int B = StarMap<Op>::segment;
    const Crew<Op> crew(v);
    const bool has_place = rank < crew.places, runs = rank == crew.places;
    typename LongStar<Op>::Next next{0, 0};
    unsigned parity = 0;
    int ahead = rank;  // segments of others before the next one here
#pragma unroll 1
    for (int t = 0, b = 0; t < v.phases; ++t, b = t % buffers) {
        memory.full(b).wait(t / buffers % 2);
        __syncwarp();
        const Tile tile(op, memory, b);
        if (tile.has_chain) {
            const auto chain = tile.star(load_uint2(tile.stars));
            if constexpr (Crew<Op>::maps) {
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

}  // namespace tiled

}  // namespace lockstep::gpu
