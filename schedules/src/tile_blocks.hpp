// Item and user blocks of the tiled schedule, and the number of them that fits a device.
#pragma once

#include <vector>

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/tile_cost.hpp"
#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep {

/// A distribution of vertices to blocks: positions parts[b] … parts[b + 1] - 1 of `order` contain block b.
struct Blocks {
    std::vector<VertexId> order;
    std::vector<EdgeId> parts;

    EdgeId count() const { return parts.size() - 1; }
    EdgeId largest() const;
};

/// The vertices of a side by decreasing degree, equal degrees by ID, and their degrees.
struct Ranking {
    std::vector<VertexId> vertex;
    std::vector<EdgeId> degree;

    explicit Ranking(const std::vector<EdgeId>& degree_of_vertex);
};

/// Assigns each vertex in turn to the block with the least work that still has capacity. The first vertex of
/// a block counts `first_weight` times, because it is the longest chain of updates, which limits the block's
/// time. O(vertices + degrees x blocks log blocks).
Blocks balanced_by_work(const Ranking& side, VertexId blocks, double first_weight);

/// Forms blocks of equal size: the vertices are assigned to the blocks in alternating forward and backward
/// rounds.
Blocks balanced_by_size(const Ranking& side, VertexId blocks);

/// A grid, the assignment of the items to its blocks, group after group, and the predicted cost of a sweep.
struct TileGeometry {
    TileGrid grid;
    Blocks items;
    TilesCost cost;
};

/// The two sides of a graph: the one that stays in shared memory (resident) and the moving one.
struct TileSides {
    Ranking resident, moving;
    EdgeId edges;
};
/// Returns the sides of a graph, with the columns (items) as resident side; with `turned`, the rows (users).
TileSides tile_sides(const Graph& graph, bool turned = false);

/// Chooses the geometry of the tiles.
/// - P: as requested. By cost: one block per multiprocessor; if that needs only one lap, a smaller number
///   (fewer_blocks) with the shortest predicted sweep, provided that it is clearly shorter.
/// - G: as requested, or `gpus`.
/// - R: the smallest multiple of P, at least 2 P, with which the items, two user blocks and the records of
///   the tiles fit in shared memory.
/// - L: the minimum number of laps for which there is such an R. By cost, if there are several laps, more of
///   them as long as a sweep becomes shorter.
///
/// Throws ScheduleError (usage) for fewer than 2 P user blocks, for groups that the devices cannot share
/// evenly, and for far more tiles than edges.
TileGeometry choose_geometry(const TileSides& sides, const TileOptions& options);

}  // namespace lockstep
