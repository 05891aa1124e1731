// A serial reference of a maximal independent set, and its verification. They share only the order of the
// vertices (Priority) with the walks that find the set.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/executor/structure/independent.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep::mis {

/// Returns 1 for the vertices in the set, 0 for the others. In the order of the vertices, a vertex joins the
/// set if none of its neighbours has joined before. Serial, O(arcs + vertices log vertices).
std::vector<std::uint32_t> compute_reference(const Graph& graph, const structure::Priority& priority);

/// Returns the reason why this is not that set; an empty string if it is: a vertex is in the set if and only
/// if no neighbour that precedes it is, which is true of only one set. Serial, O(arcs log(largest degree)).
std::string find_problem(const Graph& graph, const structure::Priority& priority,
                         const std::vector<std::uint32_t>& members);

}  // namespace lockstep::mis
