// Options of a run that change how its plan is executed.
#pragma once

#include "apps/sgd/driver.hpp"

namespace lockstep::sgd {

/// Sets the fields of the plan that depend on the options. Throws Error (usage) if the walk of the plan does
/// not support an option, ScheduleError if the schedule has too few groups. Returns the maximum number of
/// edges in flight of unsynchronized plans, and 0 for other plans.
EdgeId tell_plan(EdgePlan& plan, const Strategy& strategy, const SgdOptions& options);

}  // namespace lockstep::sgd
