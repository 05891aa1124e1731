// What the options of a run ask of the walk of its plan.
#pragma once

#include "apps/sgd/driver.hpp"

namespace lockstep::sgd {

/// Sets in the plan what its walk can be told, and refuses what it cannot do: Error (usage), or ScheduleError
/// where the schedule has too few groups. Returns the edges in flight of plans that race, 0 of others.
EdgeId tell_plan(EdgePlan& plan, const Strategy& strategy, const SgdOptions& options);

}  // namespace lockstep::sgd
