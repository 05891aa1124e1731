// A maximal independent set by other means: a serial reference, and the proof. With what finds it elsewhere
// they share the order of the vertices (Priority), nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/executor/structure/independent.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep::mis {

/// 1 for the vertices in the set: each that has no neighbour in it when its turn comes. Serial, O(arcs +
/// vertices log vertices).
std::vector<std::uint32_t> reference_set(const Graph& graph, const structure::Priority& priority);

/// Why this is not that set; empty: a vertex is in it just where no neighbour that goes before it is, which
/// only one set fulfils. Serial, O(arcs log(largest degree)).
std::string problem_of_set(const Graph& graph, const structure::Priority& priority,
                           const std::vector<std::uint32_t>& members);

}  // namespace lockstep::mis
