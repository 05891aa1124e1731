// What the parts of a sweep take on a device, as far as builders choose by it: how many tiles, how long stars.
//
// A schedule is a function of its input, wherever it is made, so builders have the figures of one device
// unless they are told of another; of a probed one insight::build_options makes them.
#pragma once

#include <string>

namespace lockstep {

/// Seconds; by default of an NVIDIA H200 at rank 16. Those of tiles were fitted to 126 sweeps
/// (docs/research/experiments.md), those of stars to 89 of 11 graphs.
struct DeviceCosts {
    std::string device = "an H200";  ///< in words
    // Tiles
    double group = 19e-6;            ///< a group that meets another
    double tile = 1.48e-6;           ///< flags, steps, latency of the copies
    double star_edge = 42e-9;        ///< of its longest stars
    double block_edge = 5.1e-9;      ///< an edge of a multiprocessor that has enough of them
    double own_star_edge = 52e-9;    ///< of the star of one vertex that is no chain
    double chain_phase = 0.46e-6;    ///< of the chain
    double chain_edge = 16.3e-9;     ///< of the chain
    double block_copy_bytes = 39e9;  ///< bytes a second to and from the chip of one multiprocessor
    // Stars
    double phase = 1.6e-6;            ///< a barrier
    double phase_star_edge = 160e-9;  ///< of the longest star of a phase
    double long_stars = 3.1e-6;       ///< of a phase
    double long_star_edge = 13e-9;    ///< of the longest of them
    double phase_edge = 0.093e-9;     ///< an edge of all workers together

    bool operator==(const DeviceCosts&) const = default;
};

}  // namespace lockstep
