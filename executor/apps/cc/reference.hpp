// A serial reference of connected components, and the verification of labels. They share no code with the
// walks that find components.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::cc {

/// Returns the smallest vertex that each vertex is connected with, regardless of the direction of arcs. A
/// breadth-first search begins at each vertex that has no label yet; on a directed graph it follows reversed
/// arcs, too. Serial, O(arcs).
std::vector<std::uint32_t> reference_labels(const Graph& graph);

/// Returns the reason why these are not those labels; an empty string if they are: the endpoints of every arc
/// have one label, a label is the smallest vertex that has it, and there are as many labels as components,
/// which a union-find with path halving counts. Serial, near O(arcs).
std::string problem_of_labels(const Graph& graph, const std::vector<std::uint32_t>& labels);

}  // namespace lockstep::cc
