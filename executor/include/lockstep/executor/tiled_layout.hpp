// A tiled plan as a thread block reads it: each tile one stream of 32-bit words, with ids local to its
// blocks.
//
//     4 words         1 if there is a chain | where the stars begin << 16; steps; where the pairs begin; 1 if
//                     the chain of the next tile must wait for the end of this one
//     steps           the first star of each (one entry more: the end)
//     stars           first pair | edges << 16; centre | side << 31          side 1: the centre is a user
//     pairs of edges  two leaves, two ratings                               (the first: of no star, leaves 0)
//
// Vertices are given by the byte at which their vector begins in their block. An odd last edge stands twice
// in its pair. A step's stars stand longest first.
//
// The chain is the star of the block's first item, its most rated one, in the tile's first step where it is
// long (star.hpp); it stands before all others. It shares nothing with the rest of that step and runs beside
// it, ahead of the later steps; and ahead of all of them into the next tile, unless something else here meets
// its item.
#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/executor/plan.hpp"

namespace lockstep {

struct TiledLayout {
    TileGrid grid;
    VertexId most_items = 0, most_users = 0;  ///< of a block
    EdgeId most_words = 0;                    ///< of a tile's stream
    EdgeId longest_chain = 0;                 ///< edges
    std::vector<std::uint32_t> words;         ///< streams, tile after tile
    std::vector<EdgeId> tile_words;           ///< tile -> words; tiles as TileGrid::super_tile has them
};

/// `vector_bytes`: from vector to vector. Throws ScheduleError where a tile has too many edges for 16 bits:
/// more blocks are needed.
TiledLayout tiled_layout(const Plan& plan, EdgeId vector_bytes);

}  // namespace lockstep
