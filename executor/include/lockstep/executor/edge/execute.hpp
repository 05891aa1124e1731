// One sweep of a plan on the CPU, by one OpenMP team with a barrier after each phase.
//
// Walks that follow a conflict-free schedule give bitwise identical results for any number of threads,
// because concurrent edges of a phase share no endpoint. GPU results are tested against these results.
#pragma once

#include "lockstep/executor/edge/local/cpu.hpp"
#include "lockstep/executor/edge/plan.hpp"
#include "lockstep/executor/edge/tiled/cpu.hpp"

namespace lockstep::cpu {

/// Runs one sweep. `locks` are the locks of the plan's rows and columns, all of them free.
template <EdgeOperator Op>
SweepCounts execute(const EdgePlan& plan, const Op& op, Locks& locks, int threads) {
    return std::visit([&](const auto& walk) { return sweep(plan, walk, op, locks, threads); }, plan.walk);
}

}  // namespace lockstep::cpu
