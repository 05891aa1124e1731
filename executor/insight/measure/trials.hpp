// Times of the walks on synthetic plans (plans.hpp).
#pragma once

#include "apps/device.hpp"
#include "insight/probe.hpp"
#include "lockstep/executor/edge/plan.hpp"

namespace lockstep::insight {

/// Returns the seconds of an SGD sweep at this rank: the shortest of three or more sweeps after a warm-up;
/// `quick`: the shortest of three.
double sweep_seconds(const EdgePlan& plan, std::uint32_t rank, Device device, int threads, bool quick);

/// Measures the rounds, edges, chains, costs, build and load times of `probe`, whose device and rank must be
/// set. It takes a few seconds; `quick` uses an eighth of the edges, and no data beyond the near caches.
/// `threads`: number of CPU threads. Throws Error (no_device) if the device is missing.
void run_trials(Probe& probe, Device device, int threads, bool quick);

}  // namespace lockstep::insight
