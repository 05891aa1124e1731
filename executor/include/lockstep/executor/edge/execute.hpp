// One sweep of a plan on the CPU: one OpenMP team, a barrier after each superstep.
//
// Offline walks give the same bits for any number of threads, because the work of a phase is disjoint; they
// are the oracle of the GPU.
#pragma once

#include "lockstep/executor/edge/local/cpu.hpp"
#include "lockstep/executor/edge/plan.hpp"
#include "lockstep/executor/edge/tiled/cpu.hpp"

namespace lockstep::cpu {

/// `locks` are of the plan's rows and columns, all free.
template <EdgeOperator Op>
SweepCounts execute(const EdgePlan& plan, const Op& op, Locks& locks, int threads) {
    return std::visit([&](const auto& walk) { return sweep(plan, walk, op, locks, threads); }, plan.walk);
}

}  // namespace lockstep::cpu
