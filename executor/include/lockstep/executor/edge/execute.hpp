// Runs one sweep (one update of every edge) of any plan on the CPU, with one OpenMP team that synchronizes
// after each phase.
//
// If a walk follows a conflict-free schedule, concurrent edges share no endpoint. Its result is then bitwise
// identical for any number of threads. The tests compare GPU results with it.
#pragma once

#include "lockstep/executor/edge/local/cpu.hpp"
#include "lockstep/executor/edge/plan.hpp"
#include "lockstep/executor/edge/tiled/cpu.hpp"

namespace lockstep::cpu {

/// Runs one sweep with `threads` threads. `locks` are the locks of the graph's rows and columns; all must be
/// free.
template <EdgeOperator Op>
SweepCounts execute(const EdgePlan& plan, const Op& op, Locks& locks, int threads) {
    return std::visit([&](const auto& walk) { return sweep(plan, walk, op, locks, threads); }, plan.walk);
}

}  // namespace lockstep::cpu
