// What the names "hubs" and "hubs-weight" promise beyond their form. Shares no code with their builders.
#pragma once

#include <string>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// Whether that name promises it.
bool promises_adjacency(const std::string& name);

/// What is wrong, in words; empty where nothing is: vertices by decreasing degree (on square graphs, of both
/// sides together, in one order for both), equal ones by id; edges by the place of their row, in a list
/// ascending by the place of their column, with "hubs-weight" by weight before that. The arrays must be
/// permutations. O(edges + vertices) on all threads, 4 bytes an edge.
std::string adjacency_fault(const Graph& graph, const Schedule& schedule);

}  // namespace lockstep
