// What a sweep of tiles, and of matchings, takes on a GPU, predicted from degrees alone: by it the builders
// of tiled and core-tail choose their grids, their side and their hubs. It orders choices; what a strategy
// takes on the device at hand the cost model predicts (docs/insight.md).
//
// A tile takes a phase's latency, its steps and its longest stars, unless the rate of a multiprocessor or the
// copies of the moving vectors take longer. The chain of the most rated item goes on beside, ahead of the
// steps; what the moving vertex of most edges keeps waiting comes on top.
#pragma once

#include <string>

#include "lockstep/schedules/graph.hpp"
#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep {

/// Seconds; by default of an NVIDIA H200 at rank 16, fitted to 20 sweeps (docs/experiments/tile-cost.md).
struct DeviceCosts {
    double launch = 5e-6;            ///< a kernel
    double phase = 0.64e-6;          ///< of tiles: flags, latency of the copies; it has one step at least
    double step = 1.16e-6;           ///< of a tile
    double star_edge = 39e-9;        ///< of its longest stars
    double block_edge = 3.6e-9;      ///< an edge of a multiprocessor that has enough of them
    double own_star_edge = 62e-9;    ///< of the star of one vertex that is no chain
    double chain_phase = 0.23e-6;    ///< of the chain
    double chain_edge = 18.9e-9;     ///< of the chain
    double block_copy_bytes = 42e9;  ///< bytes a second to and from the chip of one multiprocessor
    double memory_bytes = 4e12;      ///< bytes a second of memory
    double small_round = 0.35e-6;    ///< a matching of fewer than 512 edges
    double round = 1e-6;             ///< of more
    double round_edge = 0.067e-9;    ///< an edge of it, vectors in the cache
    double far_edge = 0.11e-9;       ///< from memory
    double cache_bytes = 50e6;
};

/// Of the vertices of one side.
struct SideOfTiles {
    EdgeId vertices = 0, largest = 0;  ///< largest degree
};

/// A sweep of tiles.
struct TilesCost {
    EdgeId phases = 0;                                       ///< one after another, of all groups
    double launches = 0, tiles = 0, chain = 0, waiting = 0;  ///< seconds
    /// Chains and tiles go on side by side, and hinder each other where they take alike long.
    double seconds() const;
};

/// `edges` of `resident` vertices and `moving` ones, vectors of `vector_bytes`. The resident vertex behind
/// the first of every block, in the order of degrees, has `second` edges. O(1).
TilesCost cost_of_tiles(const TileGrid& grid, EdgeId edges, SideOfTiles resident, EdgeId second,
                        SideOfTiles moving, EdgeId vector_bytes, const DeviceCosts& device = {});

/// ": 264 phases, tiles 0.520 ms, chain 0.05 ms, waiting 0.00 ms, launches 0.02 ms".
std::string in_words(const TilesCost& cost);

/// Rounds of matchings that have `size` edges each.
double cost_of_rounds(double rounds, double size, bool far, const DeviceCosts& device = {});

}  // namespace lockstep
