// A model that predicts the time of a sweep of the tiled schedule on a GPU from the degrees of the vertices
// alone. The tiled builder uses it to choose the grid of tiles and the side that stays in shared memory. It
// only ranks these choices; the cost model of executor/insight (docs/guides/choosing.md) predicts the time of
// a strategy on the actual device.
//
// The time of a tile is a latency plus the time of its longest stars, or the time of all its edges, or the
// time to copy the moving vectors, whichever dominates. The updates of the most rated item form a chain,
// which runs concurrently with the steps of the tiles. The moving vertex of maximum degree may take longer
// than a tile; the time for which other tiles wait for it is added.
#pragma once

#include <functional>
#include <string>

#include "lockstep/schedules/device_costs.hpp"
#include "lockstep/schedules/graph.hpp"
#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep {

/// One side of the graph (the rows or the columns), described by the degrees of its vertices.
struct SideOfTiles {
    EdgeId vertices = 0;
    /// Returns the degree of the vertex at a given position, if the vertices are sorted by decreasing degree.
    std::function<double(double)> degree;
};

/// Predicted cost of a sweep of tiles.
struct TilesCost {
    EdgeId phases = 0;  ///< number of phases that one device runs, one after another
    /// Predicted times in seconds; their sum, with overlap, is seconds().
    double launches = 0, tiles = 0, chain = 0, waiting = 0;
    /// Returns the total time in seconds. The chain and the tiles run concurrently, so mainly the longer of
    /// the two counts; if they take similar times, they slow each other down.
    double seconds() const;
};

/// Returns the predicted cost of a sweep of `edges` edges. A vector has `vector_bytes` bytes, and `devices`
/// devices share the groups of the grid. Evaluates O(log vertices) degrees.
TilesCost cost_of_tiles(const TileGrid& grid, EdgeId edges, const SideOfTiles& resident,
                        const SideOfTiles& moving, EdgeId vector_bytes, const DeviceCosts& device,
                        EdgeId devices = 1);

/// A predicted time counts as shorter only if it is below this fraction of the other time. Otherwise the
/// builder keeps the grid with more blocks, or the items as resident side.
inline constexpr double clearly_faster = 0.95;
/// Returns the next smaller number of item blocks that the builder tries.
constexpr EdgeId next_smaller_block_count(EdgeId blocks) { return blocks * 4 / 5; }

/// Formats the parts of the cost: ": 264 phases, tiles 0.520 ms, chain 0.050 ms, waiting 0.000 ms, launches
/// 0.020 ms".
std::string in_words(const TilesCost& cost);

}  // namespace lockstep
