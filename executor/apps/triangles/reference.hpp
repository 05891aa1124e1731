// Triangles by other means: a serial reference, and the proof of counts. They share no code with the walks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::triangles {

/// Of each vertex the triangles that it is in, of the undirected graph without loops and repeated edges: by
/// looking up the shorter list of neighbours of an edge's ends in the longer one. Serial, O(sum over edges of
/// the smaller degree times the logarithm of the larger).
std::vector<std::uint64_t> reference_counts(const Graph& graph);

/// Why this is not the number of triangles, or these are not those of each vertex; empty: they are. Every
/// edge is looked at from its end of fewer neighbours, which are looked up by marks of the other. All
/// threads, O(sum over edges of the smaller degree).
std::string problem_of_counts(const Graph& graph, const std::vector<std::uint64_t>& counts, bool by_vertex);

}  // namespace lockstep::triangles
