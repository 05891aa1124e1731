// The walks, timed on made-up plans (plans.hpp).
#pragma once

#include "apps/device.hpp"
#include "insight/probe.hpp"
#include "lockstep/executor/edge/plan.hpp"

namespace lockstep::insight {

/// Seconds of a sweep of SGD at this rank: the best of three or more after one that warms up; `quick`: of
/// three.
double sweep_seconds(const EdgePlan& plan, std::uint32_t rank, Device device, int threads, bool quick);

/// Fills in rounds, edges, chains, costs, build and load times of `probe`, whose device and rank are set; a few
/// seconds; `quick`: on an eighth of the edges, and nothing beyond the near caches. `threads` of a CPU.
/// Throws Error (no_device) where the device is not there.
void run_trials(Probe& probe, Device device, int threads, bool quick);

}  // namespace lockstep::insight
