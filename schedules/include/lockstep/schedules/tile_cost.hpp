// What a sweep of tiles, and of matchings, takes on a GPU, predicted from degrees alone: by it the builders
// of tiled and core-tail choose their grids, their side and their hubs. It orders choices; what a strategy
// takes on the device at hand the cost model predicts (docs/insight.md).
//
// A tile takes a latency and its longest stars, unless its edges or the copies of the moving vectors take
// longer. The chain of the most rated item goes on beside, ahead of the steps; what the moving vertex of most
// edges keeps waiting comes on top.
#pragma once

#include <functional>
#include <string>

#include "lockstep/schedules/graph.hpp"
#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep {

/// Seconds; by default of an NVIDIA H200 at rank 16, those of tiles fitted to 126 sweeps
/// (docs/experiments/tile-cost.md).
struct DeviceCosts {
    double launch = 5e-6;            ///< a kernel
    double group = 19e-6;            ///< of tiles: a group that meets another
    double tile = 1.48e-6;           ///< flags, steps, latency of the copies
    double star_edge = 42e-9;        ///< of its longest stars
    double block_edge = 5.1e-9;      ///< an edge of a multiprocessor that has enough of them
    double own_star_edge = 52e-9;    ///< of the star of one vertex that is no chain
    double chain_phase = 0.46e-6;    ///< of the chain
    double chain_edge = 16.3e-9;     ///< of the chain
    double block_copy_bytes = 39e9;  ///< bytes a second to and from the chip of one multiprocessor
    double small_round = 0.35e-6;    ///< a matching of fewer than 512 edges
    double round = 1e-6;             ///< of more
    double round_edge = 0.067e-9;    ///< an edge of it, vectors in the cache
    double far_edge = 0.11e-9;       ///< from memory
    double cache_bytes = 50e6;
};

/// The vertices of one side.
struct SideOfTiles {
    EdgeId vertices = 0;
    std::function<double(double)> degree;  ///< edges of the vertex of a rank; of rank 0 are the most
};

/// A sweep of tiles.
struct TilesCost {
    EdgeId phases = 0;                                       ///< one after another, of all groups
    double launches = 0, tiles = 0, chain = 0, waiting = 0;  ///< seconds
    /// Chains and tiles go on side by side, and hinder each other where they take alike long.
    double seconds() const;
};

/// `edges` of `resident` vertices and `moving` ones, vectors of `vector_bytes`. O(log vertices) degrees.
TilesCost cost_of_tiles(const TileGrid& grid, EdgeId edges, const SideOfTiles& resident,
                        const SideOfTiles& moving, EdgeId vector_bytes, const DeviceCosts& device = {});

/// Predicted times that differ by less are alike: then there are more blocks, and items reside.
inline constexpr double clearly_faster = 0.95;
/// The next smaller number of blocks to try.
constexpr EdgeId fewer_blocks(EdgeId blocks) { return blocks * 4 / 5; }

/// ": 264 phases, tiles 0.520 ms, chain 0.05 ms, waiting 0.00 ms, launches 0.02 ms".
std::string in_words(const TilesCost& cost);

/// Rounds of matchings that have `size` edges each.
double cost_of_rounds(double rounds, double size, bool far, const DeviceCosts& device = {});

}  // namespace lockstep
