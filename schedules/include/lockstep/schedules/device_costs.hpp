// Costs of the parts of a sweep on a GPU, from which the tiled and stars builders predict the time of a sweep
// and choose the number of tiles and the length of stars. The caller of a builder provides them:
// insight::default_build_options() returns those of a fixed device, so that a schedule does not depend on the
// machine that builds it.
#pragma once

#include <string>

namespace lockstep {

/// Costs in seconds, unless noted.
struct DeviceCosts {
    std::string device;  ///< name of the device in messages; empty: the default device
    // Tiled schedule (the terms are those of tile_cost.hpp)
    double group = 0;  ///< per launch of the work on one pair of item group and user group
    /// Per tile: flags between thread blocks, barriers between steps, latency of the copies.
    double tile = 0;
    double star_edge = 0;  ///< per edge of a tile's longest item star and longest user star
    /// Per edge of a tile, if the throughput of the multiprocessor limits its time.
    double block_edge = 0;
    double own_star_edge = 0;  ///< per edge of a tile's star around the moving vertex of maximum degree
    /// Per phase of the chain, which is the sequence of updates of the most rated item.
    double chain_phase = 0;
    double chain_edge = 0;  ///< per edge of the chain
    /// Bandwidth of copies between the shared memory of one multiprocessor and global memory, in bytes per
    /// second.
    double block_copy_bytes = 0;
    // Stars schedule (a phase, its ordinary stars and its long stars)
    double phase = 0;            ///< per phase, for its device-wide barrier
    double phase_star_edge = 0;  ///< per phase and edge of its longest star that is not long
    double long_stars = 0;       ///< per phase that has long stars (stars with up to `hub_edges` edges)
    double long_star_edge = 0;   ///< per phase and edge of its longest long star
    double phase_edge = 0;       ///< per edge, if all workers are busy

    bool operator==(const DeviceCosts&) const = default;
};

}  // namespace lockstep
