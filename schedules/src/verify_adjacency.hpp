// Check of the schedules "hubs" and "hubs-weight", whose names promise an order of vertices and arcs. Like
// all of the verifier, it shares no code with the builders.
#pragma once

#include <string>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// Returns whether a schedule with this name must have the order that adjacency_fault() checks.
bool promises_adjacency(const std::string& name);

/// Returns a description of the first fault, or an empty string. Vertices must be ordered by decreasing
/// degree, and vertices of equal degree by ID. In square graphs, the degree is the sum of in- and out-degree,
/// and rows and columns have the same order. Edges must be ordered by the position of their row, then by
/// weight ("hubs-weight" only), then by the position of their column. The caller must have checked that the
/// arrays are permutations. O(edges + vertices) on all threads, 4 bytes per edge.
std::string adjacency_fault(const Graph& graph, const Schedule& schedule);

}  // namespace lockstep
