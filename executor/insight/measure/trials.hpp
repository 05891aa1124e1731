// The walks, timed on made-up plans (plans.hpp).
#pragma once

#include "apps/device.hpp"
#include "insight/probe.hpp"
#include "lockstep/executor/edge/plan.hpp"

namespace lockstep::insight {

/// Seconds of a sweep of SGD at this rank: the best of three or more after one that warms up.
double sweep_seconds(const EdgePlan& plan, std::uint32_t rank, Device device, int threads);

/// Fills in rounds, edges, chains, costs and build times of `probe`, whose device and rank are set; a few
/// seconds. `threads` of a CPU. Throws Error (no_device) where the device is not there.
void run_trials(Probe& probe, Device device, int threads);

}  // namespace lockstep::insight
