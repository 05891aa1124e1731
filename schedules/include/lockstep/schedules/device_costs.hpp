// Costs of the parts of a sweep on a GPU, from which the tiled and stars builders predict the time of a sweep
// and choose the number of tiles and the length of stars.
//
// A schedule must not depend on the machine that builds it. Therefore the builders use the costs of one fixed
// device, an H200, unless the caller passes the costs of another one. The function insight::build_options
// derives these from measurements of a device.
#pragma once

#include <string>

namespace lockstep {

/// Costs in seconds, unless noted; the defaults are those of an NVIDIA H200 at rank 16. The costs of tiles
/// were fitted to 126 sweeps (docs/research/experiments.md), those of stars to 89 sweeps of 11 graphs.
struct DeviceCosts {
    std::string device = "an H200";  ///< name of the device in messages
    // Tiled schedule (the terms are those of tile_cost.hpp)
    double group = 19e-6;  ///< per launch of the work on one pair of item group and user group
    /// Per tile: flags between thread blocks, barriers between steps, latency of the copies.
    double tile = 1.48e-6;
    double star_edge = 42e-9;  ///< per edge of a tile's longest item star and longest user star
    /// Per edge of a tile, if the throughput of the multiprocessor limits its time.
    double block_edge = 5.1e-9;
    double own_star_edge = 52e-9;  ///< per edge of a tile's star around the moving vertex of maximum degree
    /// Per phase of the chain, which is the sequence of updates of the most rated item.
    double chain_phase = 0.46e-6;
    double chain_edge = 16.3e-9;  ///< per edge of the chain
    /// Bandwidth of copies between the shared memory of one multiprocessor and global memory, in bytes per
    /// second.
    double block_copy_bytes = 39e9;
    // Stars schedule (a phase, its ordinary stars and its long stars)
    double phase = 1.6e-6;            ///< per phase, for its device-wide barrier
    double phase_star_edge = 160e-9;  ///< per phase and edge of its longest star that is not long
    double long_stars = 3.1e-6;       ///< per phase that has long stars (stars with up to `hub_edges` edges)
    double long_star_edge = 13e-9;    ///< per phase and edge of its longest long star
    double phase_edge = 0.093e-9;     ///< per edge, if all workers are busy

    bool operator==(const DeviceCosts&) const = default;
};

}  // namespace lockstep
