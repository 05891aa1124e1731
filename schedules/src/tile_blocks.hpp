// Item and user blocks of the tiled schedule, and how many of them fit a device.
#pragma once

#include <vector>

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/tile_cost.hpp"
#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep {

/// Vertices dealt to blocks: positions parts[b] … parts[b + 1] - 1 of `order` are block b.
struct Blocks {
    std::vector<VertexId> order;
    std::vector<EdgeId> parts;

    EdgeId count() const { return parts.size() - 1; }
    EdgeId largest() const;
};

/// The vertices of a side by decreasing degree, equal degrees by id, and these degrees.
struct Ranking {
    std::vector<VertexId> vertex;
    std::vector<EdgeId> degree;

    explicit Ranking(const std::vector<EdgeId>& degree_of_vertex);
};

/// Each vertex in turn to the block with the least work that still has room. A block's first vertex counts
/// `first_weight` times: it is the longest chain of updates, which nothing shortens.
/// O(vertices + degrees x blocks log blocks).
Blocks balanced_by_work(const Ranking& side, VertexId blocks, double first_weight);

/// Blocks of equal size: the vertices are dealt out to and fro.
Blocks balanced_by_size(const Ranking& side, VertexId blocks);

/// A grid, the items dealt to its blocks, group after group, and what a sweep is predicted to take.
struct TileGeometry {
    TileGrid grid;
    Blocks items;
    TilesCost cost;
};

/// The sides of a graph, by what stays on chip.
struct TileSides {
    Ranking resident, moving;
    EdgeId edges;
};
/// Items reside, or with `turned` users.
TileSides tile_sides(const Graph& graph, bool turned = false);

/// P: as asked for; or, by cost, a block a multiprocessor, or, where these need one lap alone, that number of
/// fewer (fewer_blocks) with which a sweep is predicted to take the least time, where that is clearly less.
/// G: as asked for; or `gpus`. R: the smallest multiple of P, from 2 P on, with which the items, two user
/// blocks and the tiles' records fit on chip. L: the fewest laps with which there is such an R, or, by cost,
/// where these are several, as many more as make a sweep faster. Throws ScheduleError (usage) for fewer than
/// 2 P user blocks, for groups that the devices cannot share, and for many more tiles than there are edges.
TileGeometry choose_geometry(const TileSides& sides, const TileOptions& options);

}  // namespace lockstep
