// Predicts the time of a sweep of the strategy `tiled` on many GPUs of one or several hosts.
// docs/guides/gpus.md derives the model, explains which figures were measured, fitted or assumed, and
// compares predictions with measurements.
#pragma once

#include <cmath>

#include "insight/statistics.hpp"

namespace lockstep::insight {

/// The total number of GPUs, and the number of hosts. All hosts have the same number of GPUs.
struct Cluster {
    EdgeId gpus = 1, hosts = 1;
};

/// A connection between two devices. A copy takes latency + bytes / rate.
struct Link {
    double latency = 0, rate = 0;  ///< latency in seconds, and rate in bytes per second
    double seconds(double bytes) const { return latency + bytes / rate; }
};

/// The performance figures of an NVIDIA H200 and its connections.
struct ScaleFigures {
    // The next three figures were fitted to four measurements of tools/bench.py scale-fit.
    double edge = 0.108e-9;  ///< seconds per edge with vectors of 256 bytes, if all thread blocks are busy
    /// Rate at which thread blocks load and store the vectors of users, in bytes per second.
    double visits = 5.38e12;
    double wait = 0.24;  ///< N GPUs wait for each other during the share wait (1 - 1 / N) of their work
    // The following figures were measured.
    double phase = 1.8e-6;  ///< minimum time of a phase in seconds (docs/research/experiments.md)
    /// Bytes of users' and of items' vectors that a thread block keeps in shared memory.
    double row_block = 190 * 256, col_block = 1000 * 128.0;
    double stream = 14;  ///< bytes per edge in the data of a tile
    double memory = 141e9;
    Link nvlink{26e-6, 393e9}, from_host{0, 54.6e9};
    // The following figures are assumed. The network is one adapter of 400 Gb/s per GPU.
    Link network{40e-6, 50e9};
    EdgeId col_blocks = 132;
    double tile = 64;  ///< bytes of a tile without edges
};

struct ScalePrediction {
    EdgeId groups = 0, laps = 1;
    double memory = 0;   ///< bytes that a GPU needs in any case, for the vectors of all vertices
    double streams = 0;  ///< bytes of the tiles that a GPU processes
    /// Whether the tiles do not fit in GPU memory next to the vectors, so that they are copied from the host
    /// in every sweep.
    bool streamed = false;
    bool fits = true;  ///< whether the vectors of all vertices fit in GPU memory
    /// Size of the vectors of a user group, which a GPU sends to the previous GPU after the group's laps, in
    /// bytes.
    double passed = 0;
    double visited = 0;  ///< bytes of users' vectors that the thread blocks of a GPU load and store
    /// Time of each part of a sweep, in seconds.
    double edges = 0, phases = 0, waiting = 0, links = 0, copies = 0;

    /// Returns the time of edges and phases together, in seconds. The processing of edges overlaps with
    /// loading the users' vectors of the next phase, more in some tiles than in others, so the result is
    /// between the maximum and the sum of the two times.
    double work() const { return std::hypot(edges, phases); }
    double sweep() const { return std::max(work() + waiting, copies) + links; }
    double link_share() const { return links / sweep(); }
};

/// Predicts the time of a sweep. `groups` is the number of groups in the schedule; 0: one per GPU.
/// `vector_bytes` is the distance between consecutive vectors in bytes.
ScalePrediction predict_scale(const Statistics& statistics, double vector_bytes, const Cluster& cluster,
                              EdgeId groups = 0, const ScaleFigures& figures = {});

}  // namespace lockstep::insight
