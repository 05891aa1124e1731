// A tiled plan as a thread block reads it: each tile one stream of 32-bit words, with ids local to its
// blocks.
//
//     4 words         steps; whether the chain's item is met outside the chain; where the pairs begin; 0
//     steps           first task of each, chain first (one entry more: the end), padded to 16 bytes in all
//     tasks           first pair | edges << 16; centre | side << 31          side 1: the centre is a user
//     pairs of edges  two leaves, two ratings                               (the first: of no star, leaves 0)
//
// Vertices are given by the byte at which their vector begins in their block. An odd last edge stands twice in
// its pair. The chain is the star of a block's first item, the most rated one, in the first step: warps of their
// own run it, ahead of the others. A step's tasks stand longest first.
#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/executor/plan.hpp"

namespace lockstep {

struct TiledLayout {
    VertexId item_blocks = 0, user_blocks = 0;
    VertexId most_items = 0, most_users = 0;  ///< of a block
    EdgeId most_words = 0;                    ///< of a tile's stream
    EdgeId longest_chain = 0;                 ///< edges
    std::vector<std::uint32_t> words;         ///< streams, tile after tile
    std::vector<EdgeId> tile_words;           ///< item block * user_blocks + phase -> words
};

/// `stride`: floats from vector to vector. Throws ScheduleError where a tile has too many edges for 16 bits:
/// more blocks are needed.
TiledLayout tiled_layout(const Plan& plan, EdgeId stride);

/// The user block that item block p meets in phase t.
constexpr VertexId user_block_at(EdgeId p, EdgeId t, EdgeId user_blocks) {
    return static_cast<VertexId>((2 * p + t) % user_blocks);
}

}  // namespace lockstep
