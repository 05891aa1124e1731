// Maximal independent sets: a serial reference and the verification of a result. They share only the order of
// the vertices (Priority) with the walks that compute the set.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/executor/structure/independent.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep::mis {

/// Returns 1 for each vertex in the set and 0 for each other vertex. Greedy algorithm: visits the vertices in
/// the order of their priorities, and adds a vertex to the set if none of its neighbours is in the set yet.
/// Serial, O(arcs + vertices log(vertices)).
std::vector<std::uint32_t> compute_reference(const Graph& graph, const structure::Priority& priority);

/// Verifies that `members` is the set that compute_reference() returns. Returns a description of the first
/// error, or an empty string. A vertex must be in the set if and only if the set contains no neighbour that
/// precedes the vertex in the order; only one set has this property. Serial, O(arcs log(maximum degree)).
std::string find_problem(const Graph& graph, const structure::Priority& priority,
                         const std::vector<std::uint32_t>& members);

}  // namespace lockstep::mis
