// The tiled traversal on the GPU: what a launch sees, which warps do what, and what lies on chip.
#pragma once

#include "lockstep/executor/cuda/bulk.cuh"
#include "lockstep/executor/cuda/long_star.cuh"
#include "lockstep/executor/operator.hpp"

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
/// Which warps do what: those of the steps, those of the chain, the moving one. Where long stars go by
/// segments the last one of the chain follows the segments of the others.
template <class Op>
struct Crew {
    static constexpr int moving_warp = warps - 1;
    static constexpr bool segments = !Op::clips;
    static constexpr int fewest_chain_warps = segments ? 2 : 1;
    static constexpr int step_warps_beside_chain = segments ? 9 : moving_warp - 1;  // docs/performance.md
    int step_warps, chain_warps, places;

    __host__ __device__ explicit Crew(const TiledView& v)
        : step_warps(v.step_warps),
          chain_warps(moving_warp - step_warps),
          places(segments && chain_warps ? chain_warps - 1 : 0) {}
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

}  // namespace tiled

}  // namespace lockstep::gpu
