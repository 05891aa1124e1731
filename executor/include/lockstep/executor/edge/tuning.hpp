// Launch shapes of the walks. Each constant has its measurements in docs/data/tuning.csv.
#pragma once

#include "lockstep/executor/device/properties.hpp"

namespace lockstep::gpu::tuning {

/// Barrier-bound: few large blocks keep the device-wide barrier cheap.
inline constexpr Shape phases{1024, 1, true};
inline constexpr Shape resident{512, 1};
inline constexpr Shape tasks{512, 1, true};
inline constexpr Shape stars{512, 1};
/// Four parts of a block have warps of their own (tiled/memory.hpp).
inline constexpr Shape tiled{512, 1};
/// Bound by memory: while one block of a multiprocessor waits, others work.
inline constexpr Shape local{320, 8}, local_few_registers{256, 8};
/// Latency-bound: as many workers as fit.
inline constexpr Shape edge_locked{256, 8};
inline constexpr Shape node_locked{256, 8};
inline constexpr Shape racing{256, 8};
inline constexpr Shape racing_tiles{512, 1};

/// EL: attempts at an edge whose ends are not both free; how many may wait for a hub (EL), for a row (NL).
inline constexpr int lock_attempts = 16;
inline constexpr int most_waiting = 32;
inline constexpr int most_waiting_nl = 64;
/// EL: edges that a worker draws at a time, at most.
inline constexpr int longest_run = 8;
/// Locks: share of a pass that should find its ends free, and the workers below which a pass does not go.
inline constexpr double wanted_success = 0.75;
inline constexpr int fewest_workers = 64;

/// Stars: leaves whose vectors are on their way; segments of a long star side by side.
inline constexpr unsigned star_ahead = 4;
inline constexpr int long_star_places = 8;

/// Racing with resident columns: edges a worker fetches ahead; edges of a tile's most frequent column in
/// flight at a time, in expectation.
inline constexpr int racing_ahead = 4;
inline constexpr int most_on_a_column = 100;

}  // namespace lockstep::gpu::tuning
