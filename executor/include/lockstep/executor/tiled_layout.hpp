// A tiled plan as a thread block reads it: each tile one stream of 32-bit words, with ids local to its
// blocks.
//
//     4 words         steps of the chains | where the stars begin << 16; steps; where the pairs begin; 1 if
//                     the first chain is the first item's star of the first step (star.hpp: a long one is
//                     mapped), 2 if the chains of the next tile must wait for the end of this one
//     steps           the first star of each, those of the chains first (one entry more: the end)
//     stars           first pair | edges << 16; centre | side << 31          side 1: the centre is a user
//     pairs of edges  two leaves, two ratings                               (the first: of no star, leaves 0)
//
// Vertices are given by the byte at which their vector begins in their block. An odd last edge stands twice
// in its pair. A step's stars stand longest first.
//
// The chains are the stars of a block's first items, the most rated ones, where they are long and come first:
// no user has another item before one of these, and nothing else meets these items. So they run ahead of the
// other stars, into the next tile while those are still at this one, and the others' first step runs beside
// them. A long star of the first item in the first step always can; where something else meets it too, the
// next tile's chains wait.
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

/// `vector_bytes`: from vector to vector; `chains`: first items of a block at most, at least one;
/// `long_star`: edges that a long star has more than. Throws ScheduleError where a tile has too many edges for 16 bits: more blocks are needed.
TiledLayout tiled_layout(const Plan& plan, EdgeId vector_bytes, EdgeId chains, EdgeId long_star);

}  // namespace lockstep
