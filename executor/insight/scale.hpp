// How long a sweep of tiled takes on many GPUs of one or several hosts: docs/guides/gpus.md derives it, says which
// figures were measured, fitted or assumed, and how far predictions are off.
#pragma once

#include <cmath>

#include "insight/statistics.hpp"

namespace lockstep::insight {

/// GPUs in all, as many in each host.
struct Cluster {
    EdgeId gpus = 1, hosts = 1;
};

/// Time of one copy: latency + bytes / rate.
struct Link {
    double latency = 0, rate = 0;  ///< seconds, bytes a second
    double seconds(double bytes) const { return latency + bytes / rate; }
};

/// Of NVIDIA H200s.
struct ScaleFigures {
    // Fitted to four of the points of tools/bench.py scale-fit.
    double edge = 0.108e-9;   ///< seconds of an edge of vectors of 256 bytes, all thread blocks together
    double visits = 5.38e12;  ///< bytes a second of users' vectors to the thread blocks, and back
    double wait = 0.24;       ///< of N GPUs for each other: wait (1 - 1 / N) of their work
    // Measured.
    double phase = 1.8e-6;  ///< seconds of one of a step, at least: docs/research/experiments.md
    double row_block = 190 * 256, col_block = 1000 * 128.0;  ///< bytes of vectors on chip
    double stream = 14;                                      ///< bytes of an edge in a tile's stream
    double memory = 141e9;
    Link nvlink{26e-6, 393e9}, from_host{0, 54.6e9};
    // Assumed: a network adapter of 400 Gb/s beside every GPU.
    Link network{40e-6, 50e9};
    EdgeId col_blocks = 132;
    double tile = 64;  ///< bytes of an empty tile in its stream
};

struct ScalePrediction {
    EdgeId groups = 0, laps = 1;
    double memory = 0;      ///< bytes that a GPU needs in any case: vectors of all vertices
    double streams = 0;     ///< bytes of its tiles
    bool streamed = false;  ///< they do not fit beside and come from the host in every sweep
    bool fits = true;       ///< the vectors do
    double passed = 0;      ///< bytes that a GPU gives to the one before after the laps of a user group
    double visited = 0;     ///< bytes of users' vectors that its thread blocks fetch, and put back
    double edges = 0, phases = 0, waiting = 0, links = 0, copies = 0;  ///< seconds of a sweep

    /// Edges hide the users of the next phase on their way, in some tiles more than in others.
    double work() const { return std::hypot(edges, phases); }
    double sweep() const { return std::max(work() + waiting, copies) + links; }
    double link_share() const { return links / sweep(); }
};

/// `groups` of the schedule; 0: one a GPU. `vector_bytes`: from vector to vector.
ScalePrediction predict_scale(const Statistics& statistics, double vector_bytes, const Cluster& cluster,
                              EdgeId groups = 0, const ScaleFigures& figures = {});

}  // namespace lockstep::insight
