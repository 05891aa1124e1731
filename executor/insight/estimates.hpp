// Estimates of the schedules that a file does not have, from the degrees of its graph.
#pragma once

#include "insight/statistics.hpp"

namespace lockstep::insight {

/// Adds estimates of the schedules that `s` does not have yet, made from the degrees alone. O(blocks of
/// items).
void estimate_schedules(Statistics& s, const BuildOptions& o);

}  // namespace lockstep::insight
