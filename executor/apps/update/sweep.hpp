// Sweeps of a compiled update on the CPU.
#pragma once

#include "lockstep/executor/edge/execute.hpp"
#include "lockstep/executor/update/module.hpp"

namespace lockstep::update {

/// Runs one sweep under the plan's execution scheme. Throws Error (failed) if the update throws.
SweepCounts sweep(Module& module, const EdgePlan& plan, const Memory& memory, cpu::Locks& locks, int threads);
/// Runs the edges of the plan one after another, the order that deterministic strategies are equivalent to.
void loop(Module& module, const EdgePlan& plan, const Memory& memory);

}  // namespace lockstep::update
