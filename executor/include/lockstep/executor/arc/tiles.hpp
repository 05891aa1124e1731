// The walk `edge_tiled`: a pull for which a schedule has divided the targets into tiles of similar numbers of
// arcs. On a GPU, a warp processes one tile; each of its threads processes eight arcs of the tile's list at a
// time, whichever target they belong to. On a CPU, the walk is a pull in the order of the schedule, because
// the size of tiles is meant for the warps of a GPU.
#pragma once

#include "lockstep/executor/arc/pull.hpp"
#include "lockstep/schedules/schedule.hpp"

namespace lockstep::arc {

struct Tiles : Pull {
    static constexpr Walk facts{.name = "edge_tiled", .family = Family::arcs, .form = forms::targets};
    std::vector<VertexId> tiles;  ///< first position of each tile
    /// Number of hot vertices. These are the first vertices of the order, whose offers a GPU keeps in shared
    /// memory because they have far more arcs than other vertices.
    VertexId hot = 0;

    /// Builds the plan. Throws ScheduleError if the schedule was made for another graph, is not grouped by
    /// target, or is not disjoint on targets, which are written without atomics.
    Tiles(const OrderedGraph& graph, const Schedule& schedule);
    /// Copies the tiles [first, last) of another plan with their arcs, for one of several devices.
    Tiles(const Tiles& whole, VertexId first, VertexId last);
    VertexId tile_count() const { return static_cast<VertexId>(tiles.empty() ? 0 : tiles.size() - 1); }
    EdgeId bytes() const { return Pull::bytes() + 4 * tiles.size(); }
    /// Returns the number of memory accesses (see Work). The paper has no formula for this walk, so the
    /// accesses are counted in the same way. The thread that has a vertex's sum finishes the vertex, so no
    /// later step reads the sum again.
    static Work work(EdgeId v, EdgeId e, bool /*prepared*/) { return {e + 2 * v, v, 0, pulled_bytes(v, e)}; }
};
/// Returns an upper bound of the additional bytes of EdgeTiles: tiles, marks and padding.
inline EdgeId stream_bytes(const Tiles& plan) { return plan.arcs / 4 + 48 * plan.tiles.size(); }

/// Number of consecutive arcs in a group, which a thread processes at a time.
inline constexpr int arc_group = 8;
/// Maximum number of targets of a tile. Their indices fit in one byte.
inline constexpr VertexId max_tile_targets = 256;
/// If a tile with a single target has more arcs than this, a whole thread block processes it.
inline constexpr EdgeId block_tile = 4096;

/// A tile: the targets [first, first + targets). Either each of them has arcs, or none.
struct EdgeTile {
    VertexId first, targets;
    std::uint32_t group;  ///< index of the tile's first group of arcs
    std::uint32_t arcs;
};

/// All tiles of a plan in the format that the warps of a GPU read sequentially.
struct EdgeTiles {
    std::vector<EdgeTile> tiles;  ///< tiles; those that need a whole thread block come first
    VertexId block_tiles = 0;     ///< number of tiles that need a whole thread block
    /// sources of the arcs, arc_group per group; the last group of a tile is padded with 0
    Array<VertexId> sources;
    Weights weights;  ///< weights, padded like `sources`
    /// One mark per group of arcs. Bit j is set if arc j is the last one of its target. The bits from 8 on
    /// contain the index, in the tile, of the target of the group's first arc.
    Array<std::uint16_t> marks;

    /// Builds the arrays. Throws ScheduleError if a tile has more than max_tile_targets targets, or contains
    /// both targets with and without arcs.
    explicit EdgeTiles(const Tiles& plan);
};

}  // namespace lockstep::arc
