// Edge tiles: targets grouped in advance by a schedule whose tasks are the arcs of one target each. A warp
// processes a tile of targets; each of its threads processes eight arcs of the tile's list at a time,
// regardless of their targets. On a CPU, edge tiles are a pull in the order of the schedule, because tiles
// are sized for the warps of a GPU.
#pragma once

#include "lockstep/executor/arc/pull.hpp"
#include "lockstep/schedules/schedule.hpp"

namespace lockstep::arc {

struct Tiles : Pull {
    static constexpr Walk facts{.name = "edge_tiled", .family = Family::arcs, .form = forms::targets};
    std::vector<VertexId> tiles;  ///< tile -> its first position
    /// Number of leading vertices whose offers are kept in shared memory, since they have far more arcs than
    /// others.
    VertexId hot = 0;

    /// Throws ScheduleError if the schedule belongs to another graph, is not grouped by target, or is not
    /// disjoint on targets (no atomics guard the targets).
    Tiles(const Numbered& graph, const Schedule& schedule);
    /// Copies the tiles [first, last) of another plan with their arcs.
    Tiles(const Tiles& whole, VertexId first, VertexId last);
    VertexId tile_count() const { return static_cast<VertexId>(tiles.empty() ? 0 : tiles.size() - 1); }
    EdgeId bytes() const { return Pull::bytes() + 4 * tiles.size(); }
    /// Our own walk, counted by the method of the paper. A vertex is finished by the thread that has its sum,
    /// so no consolidation step reads the sum back.
    static Work work(EdgeId v, EdgeId e, bool /*prepared*/) { return {e + 2 * v, v, 0, pulled_bytes(v, e)}; }
};
/// Returns an upper bound of the additional bytes of EdgeTiles: its tiles, its marks and the padding.
inline EdgeId stream_bytes(const Tiles& plan) { return plan.arcs / 4 + 48 * plan.tiles.size(); }

/// Number of consecutive arcs that a thread processes at a time.
inline constexpr int arc_group = 8;
/// Maximum number of targets of a tile: their indices fit in one byte.
inline constexpr VertexId most_tile_targets = 256;
/// Number of arcs above which a tile of one target is processed by a whole thread block.
inline constexpr EdgeId block_tile = 4096;

/// The targets [first, first + targets). Either every target of a tile has arcs, or none has.
struct EdgeTile {
    VertexId first, targets;
    std::uint32_t group;  ///< index of its first group of arcs
    std::uint32_t arcs;
};

/// The tiles as the arrays that a warp reads sequentially.
struct EdgeTiles {
    std::vector<EdgeTile> tiles;  ///< tiles that need a whole block come first
    VertexId block_tiles = 0;     ///< number of tiles that need a whole block
    Array<VertexId> sources;      ///< arc_group sources per group; the last group of a tile is padded with 0
    Weights weights;              ///< weights, padded like `sources`
    /// One mark per group: bit j is set if arc j is the last one of its target; the bits from 8 on are the
    /// index in the tile of the target of the first arc.
    Array<std::uint16_t> marks;

    /// Throws ScheduleError if a tile has more than most_tile_targets, or both targets with arcs and targets
    /// without.
    explicit EdgeTiles(const Tiles& plan);
};

}  // namespace lockstep::arc
