// The solver that fits the model: SGD with a schedule, or implicit ALS.
#pragma once

#include "apps/frame/application.hpp"
#include "cli.hpp"

namespace lockstep::train {

/// Lists --solver.
void list_solver(Fields& fields, std::string& solver);
/// Returns the application of --solver; for auto it is ALS if the feedback is implicit, else SGD. Throws
/// UsageError if an option of the other solver is given.
const Spec& find_solver(const std::string& solver, bool is_implicit, const cli::Values& values);

}  // namespace lockstep::train
