// What a sweep of tiles takes on a GPU, predicted from degrees alone: by it the builder
// of tiles chooses its grid and its side. It orders choices; what a strategy
// takes on the device at hand the cost model predicts (docs/guides/choosing.md).
//
// A tile takes a latency and its longest stars, unless its edges or the copies of the moving vectors take
// longer. The chain of the most rated item goes on beside, ahead of the steps; what the moving vertex of most
// edges keeps waiting comes on top.
#pragma once

#include <functional>
#include <string>

#include "lockstep/schedules/device_costs.hpp"
#include "lockstep/schedules/graph.hpp"
#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep {

/// The vertices of one side.
struct SideOfTiles {
    EdgeId vertices = 0;
    std::function<double(double)> degree;  ///< edges of the vertex of a rank; of rank 0 are the most
};

/// A sweep of tiles.
struct TilesCost {
    EdgeId phases = 0;                                       ///< of a device, one after another
    double launches = 0, tiles = 0, chain = 0, waiting = 0;  ///< seconds
    /// Chains and tiles go on side by side, and hinder each other where they take alike long.
    double seconds() const;
};

/// `edges` of `resident` vertices and `moving` ones, vectors of `vector_bytes`; `devices` share the groups.
/// O(log vertices) degrees.
TilesCost cost_of_tiles(const TileGrid& grid, EdgeId edges, const SideOfTiles& resident,
                        const SideOfTiles& moving, EdgeId vector_bytes, const DeviceCosts& device,
                        EdgeId devices = 1);

/// Predicted times that differ by less are alike: then there are more blocks, and items reside.
inline constexpr double clearly_faster = 0.95;
/// The next smaller number of blocks to try.
constexpr EdgeId fewer_blocks(EdgeId blocks) { return blocks * 4 / 5; }

/// ": 264 phases, tiles 0.520 ms, chain 0.05 ms, waiting 0.00 ms, launches 0.02 ms".
std::string in_words(const TilesCost& cost);

}  // namespace lockstep
