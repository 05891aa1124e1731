// Connected components by other means: a serial reference, and the proof of labels. They share no code with
// what finds them elsewhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::cc {

/// The smallest vertex that each vertex is connected with, whichever way the arcs go: by a queue from every
/// vertex that has no label yet, of a directed graph after its arcs were turned round. Serial, O(arcs).
std::vector<std::uint32_t> reference_labels(const Graph& graph);

/// Why these are not those; empty: the ends of every arc have one label, a label is the smallest vertex that
/// has it, and there are as many of them as components when arcs are taken one by one (a union-find with
/// paths halved). Serial, near O(arcs).
std::string problem_of_labels(const Graph& graph, const std::vector<std::uint32_t>& labels);

}  // namespace lockstep::cc
