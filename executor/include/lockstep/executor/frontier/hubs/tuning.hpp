// When the kernels of the hub-first walk do what. Only time depends on it.
#pragma once

#include <algorithm>

#include "lockstep/executor/frontier/operator.hpp"

namespace lockstep::gpu::hubs {

/// Searches by levels.
struct LevelTuning {
    std::uint32_t push;  ///< at most so many pieces are pushed, and one a so many vertices left:
    std::uint32_t push_share = 512;
    std::uint32_t back;             ///< back to pushes where at least so many vertices are left …
    std::uint32_t back_share = 24;  ///< … for each one that was reached
};

/// Values along weights.
struct DistanceTuning {
    std::uint32_t push;        ///< at most so many pieces are pushed
    std::uint32_t light_hubs;  ///< vertices of the rounds over light arcs; at most four a warp
    std::uint32_t light_rounds;
    std::uint32_t hubs;  ///< vertices with a warp each, rounded down to words
    std::uint32_t tail;  ///< changes are pushed where there are fewer
};

constexpr int threads = 1024, level_batch = 5, distance_batch = 2;

/// Of a launch of so many blocks. Measured on R-MAT graphs of 2^21 vertices.
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
