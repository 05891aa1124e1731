// A tiled plan as a thread block reads it: each tile one stream of 32-bit words, with ids local to its
// blocks.
//
//     4 words         1 if there is a chain | where the stars begin << 16; steps; where the pairs begin; 1 if
//                     the chain of the next tile must wait for the end of this one
//     steps           the first star of each (one entry more: the end)
//     stars           first pair | edges << 16; centre | side << 31          side 1: the centre is a row
//     pairs of edges  two leaves, two values                                (the first: of no star, leaves 0)
//
// Vertices are given by the byte at which their vector begins in their block. An odd last edge stands twice
// in its pair. A step's stars stand longest first.
//
// The chain is the star of the block's first column, the one of most edges, in the tile's first step where it
// is long (star.hpp); it stands before all others. It shares nothing with the rest of that step and runs
// beside it, ahead of the later steps; and ahead of all of them into the next tile, unless something else
// here meets its column.
#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/executor/edge/tiled/plan.hpp"

namespace lockstep {

/// How large the parts of a tiled plan are.
struct TiledSizes {
    TileGrid grid;
    EdgeId most_cols = 0, most_rows = 0;  ///< of a block
    EdgeId most_words = 0;                ///< of a tile's stream
    bool has_chains = false;
    bool too_large = false;          ///< a tile has more edges than 16 bits can number
    std::vector<EdgeId> tile_words;  ///< tile -> words; tiles as TileGrid::super_tile has them
};
/// `vector_bytes`: from vector to vector. O(vertices + tasks)
TiledSizes tiled_sizes(const EdgeList& edges, const TiledPlan& plan, EdgeId vector_bytes);

struct TiledLayout : TiledSizes {
    Array<std::uint32_t> words;  ///< streams, tile after tile
};
/// Throws ScheduleError where it is too large.
inline constexpr const char* too_large_tile =
    "a tile of the schedule is too large for a multiprocessor; preprocess with more --item-blocks and "
    "--user-blocks";
TiledLayout tiled_layout(const EdgeList& edges, const TiledPlan& plan, EdgeId vector_bytes);

}  // namespace lockstep
