// Which solver fits the model: SGD by a schedule, or implicit ALS.
#pragma once

#include "apps/frame/application.hpp"
#include "cli.hpp"

namespace lockstep::train {

/// --solver.
void declare_solver(cli::Options& options);
/// Returns the application of --solver: of auto ALS where feedback is implicit, else SGD. Throws UsageError where an
/// option is given that is of the other one.
const Spec& solver_of(const cli::Values& values);

}  // namespace lockstep::train
