// Measures the times of walks on synthetic plans (plans.hpp), for a probe.
#pragma once

#include "apps/device.hpp"
#include "insight/probe.hpp"
#include "lockstep/executor/edge/plan.hpp"

namespace lockstep::insight {

/// Returns the time of an SGD sweep at this rank in seconds. It is the shortest of at least three sweeps
/// after one that is not measured; `quick`: of exactly three.
double sweep_seconds(const EdgePlan& plan, std::uint32_t rank, Device device, int threads, bool quick);

/// Measures the rounds, edges, chains, costs, build times and load times of a probe whose device and rank are
/// set. This takes several seconds; `quick` uses an eighth of the edges, and only data that fit in the
/// fastest caches. `threads` is the number of CPU threads. Throws Error (no_device) if the device does not
/// exist.
void run_trials(Probe& probe, Device device, int threads, bool quick);

}  // namespace lockstep::insight
