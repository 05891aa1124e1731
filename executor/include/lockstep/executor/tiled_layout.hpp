// A tiled plan as a thread block reads it: each tile one stream of 32-bit words with ids local to its blocks.
//
//     2 words         steps and edges of the tile
//     steps           first task | long stars among its tasks << 16      (one entry more: the end)
//     tasks           first edge; centre | side << 15 | edges << 16      side 1: the centre is a user
//     edges           ratings (32 bits each), then leaves (16 bits each)
//
// The tasks of a step stand longest first, so its long stars (star.hpp) lead. Streams are padded to 16 bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/executor/plan.hpp"

namespace lockstep {

struct TiledLayout {
    VertexId item_blocks = 0, user_blocks = 0;
    VertexId most_items = 0, most_users = 0;  ///< of a block
    EdgeId most_words = 0;                    ///< of a tile's stream
    EdgeId most_batches = 0;                  ///< of a step's long stars
    std::vector<std::uint32_t> words;         ///< streams, tile after tile
    std::vector<EdgeId> tile_words;           ///< item block * user_blocks + phase -> words
};

/// `long_star`: stars of more edges are long and run `batch` edges at a time. Throws ScheduleError where a
/// tile outgrows 16-bit ids: more blocks are needed.
TiledLayout tiled_layout(const Plan& plan, EdgeId long_star, EdgeId batch);

/// The user block that item block p meets in phase t.
constexpr VertexId user_block_at(EdgeId p, EdgeId t, EdgeId user_blocks) {
    return static_cast<VertexId>((2 * p + t) % user_blocks);
}

}  // namespace lockstep
