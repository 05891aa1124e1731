// An update as an application, for programs that run it on arrays in memory.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/update/states.hpp"

namespace lockstep {

Application& update_application();
/// Where its states come from, as it has read that. Who changes them does so before the run.
update::StateFiles& update_states();
/// What a run of it has made of them.
const update::RunArrays& update_arrays(const RunOutcome& outcome);

}  // namespace lockstep
