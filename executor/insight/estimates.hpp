// Estimates the properties of schedules that a file does not contain, from the degrees of its graph.
#pragma once

#include "insight/statistics.hpp"

namespace lockstep::insight {

/// Adds estimates of all schedules that `s` does not contain yet, using only the degrees of the vertices.
/// O(blocks of items).
void estimate_schedules(Statistics& s, const BuildOptions& o);

}  // namespace lockstep::insight
