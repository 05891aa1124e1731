// Edge tiles: targets grouped beforehand, by a schedule whose tasks are the arcs of one target each. A warp
// takes a tile of targets, and each of its threads eight arcs of the tile's list at a time, whatever their
// targets. On a CPU they are a pull over the schedule's order: tiles are cut for the warps of a device.
#pragma once

#include "lockstep/executor/arc/pull.hpp"
#include "lockstep/schedules/schedule.hpp"

namespace lockstep::arc {

struct Tiles : Pull {
    static constexpr Walk facts{.name = "edge_tiled", .family = Family::arcs, .form = forms::targets};
    std::vector<VertexId> tiles;  ///< tile -> positions
    VertexId hot = 0;  ///< the first so many vertices offer so much more than others that they belong on chip

    /// Throws ScheduleError where the schedule is of another graph, not grouped by target, or not disjoint
    /// on targets: no atomics guard them.
    Tiles(const Numbered& graph, const Schedule& schedule);
    /// Tiles [first, last) of another, with their arcs.
    Tiles(const Tiles& whole, VertexId first, VertexId last);
    VertexId tile_count() const { return static_cast<VertexId>(tiles.empty() ? 0 : tiles.size() - 1); }
    EdgeId bytes() const { return Pull::bytes() + 4 * tiles.size(); }
    /// Ours, counted as the source's; a vertex is finished where its sum is made: no consolidation reads it
    /// back.
    static Work work(EdgeId v, EdgeId e, bool /*prepared*/) { return {e + 2 * v, v, 0, pulled_bytes(v, e)}; }
};
/// At most.
inline EdgeId stream_bytes(const Tiles& plan) { return plan.arcs / 4 + 48 * plan.tiles.size(); }

/// Arcs that a thread takes at a time; they lie together.
inline constexpr int arc_group = 8;
/// Most targets of a tile: what a byte can name.
inline constexpr VertexId most_tile_targets = 256;
/// Tiles of one target with more arcs than this are run by a whole thread block each.
inline constexpr EdgeId block_tile = 4096;

/// Targets [first, first + targets). Every target of a tile has an arc, or none has.
struct EdgeTile {
    VertexId first, targets;
    std::uint32_t group;  ///< its first group of arcs
    std::uint32_t arcs;
};

/// The tiles as the streams that a warp reads.
struct EdgeTiles {
    std::vector<EdgeTile> tiles;  ///< those for a block each first
    VertexId block_tiles = 0;     ///< how many of these
    Array<VertexId> sources;      ///< arc_group a group; the last of a tile is filled up with 0
    Weights weights;              ///< likewise
    Array<std::uint16_t> marks;   ///< a group: bit j = its arc j is the last of its target; from bit 8 on
                                  ///< the place in the tile of the target whose arc is the first

    /// Throws ScheduleError where a tile has more than most_tile_targets, or targets with arcs and without.
    explicit EdgeTiles(const Tiles& plan);
};

}  // namespace lockstep::arc
