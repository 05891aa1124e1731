// Launch configurations of the walks on edges: threads per block and blocks per multiprocessor (Shape), and
// other constants. docs/data/tuning.csv contains the measurements that led to each of them.
#pragma once

#include "lockstep/executor/device/properties.hpp"

namespace lockstep::gpu::tuning {

/// These walks are limited by barriers. Few large thread blocks keep the device-wide barrier cheap.
inline constexpr Shape phases{1024, 1, true};
inline constexpr Shape resident{512, 1};
inline constexpr Shape tasks{512, 1, true};
inline constexpr Shape stars{512, 1};
/// The warps of a thread block have different roles (tiled/memory.hpp).
inline constexpr Shape tiled{512, 1};
/// This walk is limited by memory. While one thread block of a multiprocessor waits for memory, others
/// compute.
inline constexpr Shape local{320, 8}, local_few_registers{256, 8};
/// These walks are limited by latency. They run as many workers as fit on the device.
inline constexpr Shape edge_locked{256, 8};
inline constexpr Shape node_locked{256, 8};
inline constexpr Shape racing{256, 8};
inline constexpr Shape racing_tiles{512, 1};

/// EL: maximum number of attempts per pass to lock the endpoints of an edge. EL and NL: maximum number of
/// workers that wait for one lock.
inline constexpr int lock_attempts = 16;
inline constexpr int max_waiting = 32;
inline constexpr int max_waiting_nl = 64;
/// EL: maximum number of consecutive edges that a worker claims with one atomic add.
inline constexpr int longest_run = 8;
/// EL and NL: share of the attempts of a pass that should succeed (otherwise the next pass has fewer
/// workers), and minimum number of workers of a pass.
inline constexpr double wanted_success = 0.75;
inline constexpr int min_workers = 64;

/// Stars walk: number of leaves whose vectors a worker loads in advance; maximum number of segments of a long
/// star that are processed concurrently.
inline constexpr unsigned star_ahead = 4;
inline constexpr int long_star_places = 8;

/// racing_tiles walk: number of edges that a worker loads in advance; maximum expected number of concurrent
/// edges that share one column.
inline constexpr int racing_ahead = 4;
inline constexpr int most_on_a_column = 100;

}  // namespace lockstep::gpu::tuning
