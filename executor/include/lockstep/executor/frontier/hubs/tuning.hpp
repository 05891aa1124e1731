// Thresholds of the kernels of the hub-first walk. They affect only the time, not the result.
#pragma once

#include <algorithm>

#include "lockstep/executor/frontier/operator.hpp"

namespace lockstep::gpu::hubs {

/// Thresholds of searches by levels.
struct LevelTuning {
    /// A round pushes if it has at most max(`push`, unvisited vertices / `push_share`) pieces, or four times
    /// as many before the hubs are reached.
    std::uint32_t push;
    std::uint32_t push_share = 512;
    std::uint32_t back;  ///< pulls change back to pushes if at least `back` vertices are unvisited …
    /// … and more than `back_share` times the number of vertices that the last pull reached
    std::uint32_t back_share = 24;
};

/// Thresholds of shortest paths.
struct DistanceTuning {
    std::uint32_t push;        ///< maximum number of pieces that a round pushes
    std::uint32_t light_hubs;  ///< number of vertices in rounds over light arcs; at most four per warp
    std::uint32_t light_rounds;
    std::uint32_t hubs;  ///< number of vertices that a whole warp pulls, rounded down to words
    std::uint32_t tail;  ///< changes are pushed if there are fewer than this
};

constexpr int threads = 1024, level_batch = 5, distance_batch = 2;

/// Returns the thresholds for a launch of `blocks` blocks. They were measured on R-MAT graphs of 2^21
/// vertices.
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
