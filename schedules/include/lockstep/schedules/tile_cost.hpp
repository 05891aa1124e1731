// A model of the time of a sweep of the tiled schedule on a GPU, from the degrees alone. The builder uses it
// to choose the grid and the resident side. It ranks these choices; the time of a strategy on the actual
// device is predicted by the cost model (docs/guides/choosing.md).
//
// The time of a tile is a latency plus its longest stars, unless its edges or the copies of the moving
// vectors take longer. The chain of the most rated item runs concurrently, ahead of the steps. The time for
// which other work waits for the moving vertex of maximum degree is added.
#pragma once

#include <functional>
#include <string>

#include "lockstep/schedules/device_costs.hpp"
#include "lockstep/schedules/graph.hpp"
#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep {

/// The vertices of one side, described by their degrees.
struct SideOfTiles {
    EdgeId vertices = 0;
    /// Returns the degree of the vertex at a given position in the order of decreasing degree.
    std::function<double(double)> degree;
};

/// Predicted cost of a sweep of tiles.
struct TilesCost {
    EdgeId phases = 0;  ///< number of phases of one device, which run one after another
    double launches = 0, tiles = 0, chain = 0, waiting = 0;  ///< times of the parts, in seconds
    /// Returns the total time in seconds. Chains and tiles run concurrently; they slow each other down if
    /// they take similar times.
    double seconds() const;
};

/// Returns the predicted cost of a sweep of `edges` edges. Vectors have `vector_bytes` bytes, and `devices`
/// devices share the groups. Evaluates O(log vertices) degrees.
TilesCost cost_of_tiles(const TileGrid& grid, EdgeId edges, const SideOfTiles& resident,
                        const SideOfTiles& moving, EdgeId vector_bytes, const DeviceCosts& device,
                        EdgeId devices = 1);

/// A predicted time counts as shorter only if it is below this multiple of the other one. Otherwise the
/// choice with more blocks, or with resident items, is kept.
inline constexpr double clearly_faster = 0.95;
/// Returns the next smaller number of blocks to try.
constexpr EdgeId fewer_blocks(EdgeId blocks) { return blocks * 4 / 5; }

/// Returns the parts as text: ": 264 phases, tiles 0.520 ms, chain 0.05 ms, waiting 0.00 ms, launches 0.02
/// ms".
std::string in_words(const TilesCost& cost);

}  // namespace lockstep
