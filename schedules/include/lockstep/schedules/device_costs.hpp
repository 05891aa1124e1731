// Costs of the parts of a sweep on a device. The builders use them to choose the number of tiles and the
// length of stars.
//
// A schedule must not depend on the machine that builds it. Therefore the builders use the costs of one fixed
// device, unless the caller passes those of another; insight::build_options derives them from a probed
// device.
#pragma once

#include <string>

namespace lockstep {

/// Costs in seconds, unless noted; the defaults are those of an NVIDIA H200 at rank 16. The costs of tiles
/// were fitted to 126 sweeps (docs/research/experiments.md), those of stars to 89 sweeps of 11 graphs.
struct DeviceCosts {
    std::string device = "an H200";  ///< name of the device in messages
    // Tiled schedule
    double group = 19e-6;        ///< per pair of an item group and a user group
    double tile = 1.48e-6;       ///< per tile: flags, steps, latency of the copies
    double star_edge = 42e-9;    ///< per edge of the longest stars of a tile
    double block_edge = 5.1e-9;  ///< per edge of a tile, if the throughput of the multiprocessor is the limit
    double own_star_edge = 52e-9;  ///< per edge of the star of a single vertex other than the chain's
    double chain_phase = 0.46e-6;  ///< per phase of the chain, i.e. of the updates of the most rated item
    double chain_edge = 16.3e-9;   ///< per edge of the chain
    /// Copy bandwidth to and from the shared memory of one multiprocessor, in bytes per second.
    double block_copy_bytes = 39e9;
    // Stars schedule
    double phase = 1.6e-6;            ///< per phase: a device-wide barrier
    double phase_star_edge = 160e-9;  ///< per phase and edge of its longest ordinary star
    double long_stars = 3.1e-6;       ///< per phase, if it has long stars
    double long_star_edge = 13e-9;    ///< per phase and edge of its longest star
    double phase_edge = 0.093e-9;     ///< per edge, with all workers busy

    bool operator==(const DeviceCosts&) const = default;
};

}  // namespace lockstep
