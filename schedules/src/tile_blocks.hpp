// Distribution of the vertices to the item and user blocks of the tiled schedule, and choice of the number of
// blocks such that they fit in the shared memory of a device.
#pragma once

#include <vector>

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/tile_cost.hpp"
#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep {

/// A distribution of vertices to blocks. Block b contains the vertices order[parts[b]] … order[parts[b + 1] -
/// 1].
struct Blocks {
    std::vector<VertexId> order;
    std::vector<EdgeId> parts;

    EdgeId count() const { return parts.size() - 1; }
    EdgeId largest() const;
};

/// The vertices of one side by decreasing degree (vertices of equal degree in the order of their IDs), and
/// their degrees.
struct Ranking {
    std::vector<VertexId> vertex;
    std::vector<EdgeId> degree;

    explicit Ranking(const std::vector<EdgeId>& degree_of_vertex);
};

/// Distributes the vertices to blocks of equal work: each vertex, in the order of decreasing degree, goes to
/// the block with the least work so far that is not full. A vertex of d edges counts as d + 1. The first
/// vertex of a block counts `first_weight` times, because its updates form the longest chain of the block,
/// which limits the time of the block. O(vertices + degrees x blocks log blocks).
Blocks balanced_by_work(const Ranking& side, VertexId blocks, double first_weight);

/// Distributes the vertices to blocks of equal size: the vertices go to blocks 0, 1, …, the next ones to the
/// same blocks in reverse order, and so on.
Blocks balanced_by_size(const Ranking& side, VertexId blocks);

/// The grid of a tiled schedule, the distribution of the resident vertices (items) to its item blocks, and
/// the predicted cost of a sweep.
struct TileGeometry {
    TileGrid grid;
    Blocks items;
    TilesCost cost;
};

/// The two sides of a graph: the side whose vectors stay in shared memory (resident), and the side whose
/// vectors move from tile to tile.
struct TileSides {
    Ranking resident, moving;
    EdgeId edges;
};
/// Returns the sides of a graph. The columns (items) are the resident side, or the rows (users) if `turned`
/// is true.
TileSides tile_sides(const Graph& graph, bool turned = false);

/// Chooses the dimensions of the grid (tile_grid.hpp) for a device.
/// - P, item blocks per group: as requested. By cost, one per multiprocessor, or, if this needs only one lap,
///   the smaller number with the shortest predicted sweep, provided that it is clearly shorter.
/// - G, user groups: as requested, or one per device.
/// - R, user blocks per group: the smallest multiple of P, at least 2 P, with which the items, two user
///   blocks and the records of the tiles fit in shared memory.
/// - L, laps: the minimum number for which there is such an R. By cost, if there are several laps, more laps
///   as long as this makes the predicted sweep shorter.
///
/// Throws ScheduleError (usage) for fewer than 2 P user blocks, for groups that the devices cannot share
/// evenly, and for far more tiles than edges.
TileGeometry choose_geometry(const TileSides& sides, const TileOptions& options);

}  // namespace lockstep
