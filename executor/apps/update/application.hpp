// The application of updates, for programs that run it on arrays in memory.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/update/states.hpp"

namespace lockstep {

Application& update_application();
/// Returns the sources of its states as read() has set them. They may be changed before the run.
update::StateFiles& update_states();
/// Returns the arrays of a run, with their states after it.
const update::RunArrays& update_arrays(const RunOutcome& outcome);

}  // namespace lockstep
