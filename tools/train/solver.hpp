// The solver that fits the model: SGD with a schedule, or implicit ALS.
#pragma once

#include "apps/frame/application.hpp"
#include "cli.hpp"

namespace lockstep::train {

/// Adds --solver.
void declare_solver(cli::Options& options);
/// Returns the application of --solver; for auto it is ALS if the feedback is implicit, else SGD. Throws
/// UsageError if an option of the other solver is given.
const Spec& solver_of(const cli::Values& values);

}  // namespace lockstep::train
