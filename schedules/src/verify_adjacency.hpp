// Check of the properties that the names "hubs" and "hubs-weight" imply beyond their form. It shares no code
// with the builders.
#pragma once

#include <string>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// Returns whether a schedule of that name must have these properties.
bool promises_adjacency(const std::string& name);

/// Returns the first fault as text, or an empty string. Vertices must be ordered by decreasing degree, equal
/// degrees by ID (on square graphs: by the sum of both degrees, in one order for both sides). Edges must be
/// ordered by the position of their row, then by weight ("hubs-weight" only), then by the position of their
/// column. The arrays must be permutations. O(edges + vertices) on all threads, 4 bytes per edge.
std::string adjacency_fault(const Graph& graph, const Schedule& schedule);

}  // namespace lockstep
