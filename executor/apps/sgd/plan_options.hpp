// Applies those options of SGD to a plan that change how it is executed, such as the number of attempts to
// lock an edge.
#pragma once

#include "apps/sgd/driver.hpp"

namespace lockstep::sgd {

/// Sets the members of the plan that depend on the options. Returns the maximum number of concurrently
/// updated edges of an unsynchronized plan, and 0 for other plans. Throws Error (usage) if the walk of the
/// plan does not support an option, and ScheduleError if the schedule has too few groups for the GPUs.
EdgeId apply_plan_options(EdgePlan& plan, const Strategy& strategy, const SgdOptions& options);

}  // namespace lockstep::sgd
