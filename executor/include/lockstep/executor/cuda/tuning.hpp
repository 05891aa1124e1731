// Launch shapes of the traversals. Each constant has its measurement in docs/performance.md.
#pragma once

namespace lockstep::gpu::tuning {

struct Shape {
    int threads;        ///< of a block
    int blocks_per_sm;  ///< at most
};

/// Barrier-bound: few large blocks keep the device-wide barrier cheap.
inline constexpr Shape phases{512, 2};
inline constexpr Shape resident{512, 1};
inline constexpr Shape tasks{1024, 1};
/// Latency-bound: as many workers as fit.
inline constexpr Shape edge_locked{256, 8};
inline constexpr Shape node_locked{256, 8};
inline constexpr Shape racing{256, 8};

/// Attempts at an edge's locks before it is deferred to the next pass.
inline constexpr int lock_attempts = 8;
/// EL: share of a pass that should be locked, and the workers below which it does not go.
inline constexpr double wanted_success = 0.5;
inline constexpr int fewest_workers = 256;

}  // namespace lockstep::gpu::tuning
