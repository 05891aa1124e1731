// Predicts the time of a sweep of tiled on many GPUs of one or several hosts. docs/guides/gpus.md derives the
// model, lists which figures were measured, fitted or assumed, and compares predictions with measurements.
#pragma once

#include <cmath>

#include "insight/statistics.hpp"

namespace lockstep::insight {

/// The total number of GPUs, and the number of hosts, each of which has the same number of GPUs.
struct Cluster {
    EdgeId gpus = 1, hosts = 1;
};

/// A link on which a copy takes latency + bytes / rate.
struct Link {
    double latency = 0, rate = 0;  ///< seconds, and bytes per second
    double seconds(double bytes) const { return latency + bytes / rate; }
};

/// The figures of NVIDIA H200 GPUs.
struct ScaleFigures {
    // These are fitted to four of the points of tools/bench.py scale-fit.
    double edge = 0.108e-9;   ///< seconds per edge with vectors of 256 bytes and all thread blocks running
    double visits = 5.38e12;  ///< bytes per second of users' vectors to the thread blocks, and back
    double wait = 0.24;       ///< N GPUs wait for each other during wait (1 - 1 / N) of their work
    // These are measured.
    double phase = 1.8e-6;  ///< minimum seconds of a phase of a step: docs/research/experiments.md
    double row_block = 190 * 256, col_block = 1000 * 128.0;  ///< bytes of vectors in shared memory
    double stream = 14;                                      ///< bytes per edge in the stream of a tile
    double memory = 141e9;
    Link nvlink{26e-6, 393e9}, from_host{0, 54.6e9};
    // These are assumed; the network is an adapter of 400 Gb/s per GPU.
    Link network{40e-6, 50e9};
    EdgeId col_blocks = 132;
    double tile = 64;  ///< bytes of an empty tile in its stream
};

struct ScalePrediction {
    EdgeId groups = 0, laps = 1;
    double memory = 0;   ///< bytes that a GPU needs in any case: the vectors of all vertices
    double streams = 0;  ///< bytes of the tiles of a GPU
    /// Whether the tiles do not fit in addition to the vectors, and come from the host in every sweep.
    bool streamed = false;
    bool fits = true;    ///< whether the vectors of all vertices fit
    double passed = 0;   ///< bytes that a GPU sends to the previous GPU after the laps of a user group
    double visited = 0;  ///< bytes of users' vectors that the thread blocks of a GPU load, and store again
    double edges = 0, phases = 0, waiting = 0, links = 0, copies = 0;  ///< seconds per sweep of each part

    /// Returns the seconds of edges and phases together. Edges hide the transfer of the users of the next
    /// phase, in some tiles more than in others, so the result is between the maximum and the sum.
    double work() const { return std::hypot(edges, phases); }
    double sweep() const { return std::max(work() + waiting, copies) + links; }
    double link_share() const { return links / sweep(); }
};

/// Predicts a sweep. `groups`: number of groups of the schedule, 0 = one per GPU. `vector_bytes`: distance of
/// consecutive vectors in bytes.
ScalePrediction predict_scale(const Statistics& statistics, double vector_bytes, const Cluster& cluster,
                              EdgeId groups = 0, const ScaleFigures& figures = {});

}  // namespace lockstep::insight
