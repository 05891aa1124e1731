// Runs sweeps of a compiled update on a CPU.
#pragma once

#include "lockstep/executor/edge/execute.hpp"
#include "lockstep/executor/update/module.hpp"

namespace lockstep::update {

/// Runs one sweep with the walk of the plan. Throws Error (failed) if the update throws an exception.
SweepCounts sweep(Module& module, const EdgePlan& plan, const Memory& memory, cpu::Locks& locks, int threads);
/// Runs the update for one edge after another in the order of the plan. The result of every deterministic
/// strategy is bitwise identical to that of this loop.
void loop(Module& module, const EdgePlan& plan, const Memory& memory);

}  // namespace lockstep::update
