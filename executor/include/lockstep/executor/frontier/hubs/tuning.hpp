// Thresholds of the kernels of the hub-first walk. They affect the time of a run, but not the result.
#pragma once

#include <algorithm>

#include "lockstep/executor/frontier/operator.hpp"

namespace lockstep::gpu::hubs {

/// Thresholds of breadth-first search.
struct LevelTuning {
    /// A level is pushed if it has at most max(`push`, unreached vertices / `push_share`) pieces, or at most
    /// four times as many before the hubs are reached.
    std::uint32_t push;
    std::uint32_t push_share = 512;
    /// The search switches from pulls back to pushes if at least `back` vertices are unreached, and if these
    /// are more than `back_share` times the vertices that the last pull reached.
    std::uint32_t back;
    std::uint32_t back_share = 24;
};

/// Thresholds of shortest paths.
struct DistanceTuning {
    std::uint32_t push;  ///< maximum number of pieces that are pushed in a round
    /// number of vertices in the rounds over the lightest arcs; at most four per warp
    std::uint32_t light_hubs;
    /// number of rounds over the lightest arcs
    std::uint32_t light_rounds;
    std::uint32_t hubs;  ///< number of vertices that a whole warp pulls, rounded down to a multiple of 32
    std::uint32_t tail;  ///< pulls switch to pushes if fewer than this number of vertices have changed
};

constexpr int threads = 1024, level_batch = 5, distance_batch = 2;

/// Returns the thresholds for a launch of `blocks` thread blocks. They were measured on R-MAT graphs with
/// 2^21 vertices.
template <frontier::FrontierOperator Op>
auto tuning_of(unsigned blocks, VertexId linked) {
    const std::uint32_t warps = blocks * (threads / 32);
    if constexpr (Op::by_rounds) {
        return LevelTuning{.push = 4 * warps, .back = 64 * warps};
    } else {
        return DistanceTuning{.push = 4 * warps,
                              .light_hubs = std::min(4 * warps, linked / 128),
                              .light_rounds = 3,
                              .hubs = std::min(2 * warps, linked / 128),
                              .tail = linked / 256};
    }
}

}  // namespace lockstep::gpu::hubs
