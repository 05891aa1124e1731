// Schedules that a file does not have, as far as the degrees of its graph tell.
#pragma once

#include "insight/statistics.hpp"

namespace lockstep::insight {

/// Adds what follows from the degrees alone of schedules that are not there yet. O(blocks of items)
void estimate_schedules(Statistics& s, const BuildOptions& o);

}  // namespace lockstep::insight
