// A plan of edge-tiled as the streams that a warp reads: eight arcs a thread, 256 a warp and step.
#pragma once

#include "lockstep/executor/neighbours.hpp"

namespace lockstep {

/// Arcs that a thread takes at a time; they lie together.
inline constexpr int arc_group = 8;
/// Most targets of a tile: what a byte can name.
inline constexpr VertexId most_tile_targets = 256;

/// Targets [first, first + targets) by position. Every target of a tile has an arc, or none has.
struct EdgeTile {
    VertexId first, targets;
    std::uint32_t group;  ///< its first group of arcs
    std::uint32_t arcs;
};

struct EdgeTiles {
    std::vector<EdgeTile> tiles;  ///< those of a hub with more than block_tile arcs first
    VertexId block_tiles = 0;     ///< how many of these
    Array<VertexId> sources;      ///< arc_group a group; the last of a tile is filled up with 0
    Array<std::uint16_t> marks;   ///< a group: bit j = its arc j is the last of its target; from bit 8 on
                                  ///< the place in the tile of the target whose arc is the first
};

/// Throws ScheduleError where a tile has more than most_tile_targets, or targets with arcs and without.
EdgeTiles edge_tiles(const NeighbourPlan& plan);

}  // namespace lockstep
