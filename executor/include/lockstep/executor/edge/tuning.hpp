// Launch configurations of the walks. docs/data/tuning.csv contains the measurements of each constant.
#pragma once

#include "lockstep/executor/device/properties.hpp"

namespace lockstep::gpu::tuning {

/// Limited by barriers: few large thread blocks keep the device-wide barrier cheap.
inline constexpr Shape phases{1024, 1, true};
inline constexpr Shape resident{512, 1};
inline constexpr Shape tasks{512, 1, true};
inline constexpr Shape stars{512, 1};
/// The warps of a thread block have different roles (tiled/memory.hpp).
inline constexpr Shape tiled{512, 1};
/// Limited by memory: while one thread block of a multiprocessor waits, others work.
inline constexpr Shape local{320, 8}, local_few_registers{256, 8};
/// Limited by latency: as many workers as fit.
inline constexpr Shape edge_locked{256, 8};
inline constexpr Shape node_locked{256, 8};
inline constexpr Shape racing{256, 8};
inline constexpr Shape racing_tiles{512, 1};

/// EL: maximum number of attempts at an edge whose endpoints are not both free. EL and NL: maximum number of
/// workers that wait for the lock of a hub (EL) or of a row (NL).
inline constexpr int lock_attempts = 16;
inline constexpr int most_waiting = 32;
inline constexpr int most_waiting_nl = 64;
/// EL: maximum number of edges that a worker claims at a time.
inline constexpr int longest_run = 8;
/// EL and NL: share of the edges of a pass that should find their endpoints free, and minimum number of
/// workers of a pass.
inline constexpr double wanted_success = 0.75;
inline constexpr int fewest_workers = 64;

/// Stars walk: number of leaves whose vectors are loaded ahead; maximum number of segments of a long star in
/// progress.
inline constexpr unsigned star_ahead = 4;
inline constexpr int long_star_places = 8;

/// Unsynchronized walk with resident columns: number of edges that a worker loads ahead; maximum expected
/// number of edges of a tile's most frequent column that are in flight.
inline constexpr int racing_ahead = 4;
inline constexpr int most_on_a_column = 100;

}  // namespace lockstep::gpu::tuning
