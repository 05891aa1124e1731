// A serial reference of triangle counts, and their verification. They share no code with the walks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::triangles {

/// Returns the number of triangles of each vertex in the undirected graph without loops and repeated edges.
/// For each edge, looks up the shorter list of neighbours of its endpoints in the longer one. Serial, O(sum
/// over edges of the smaller degree times the logarithm of the larger).
std::vector<std::uint64_t> compute_reference(const Graph& graph);

/// Returns the reason why a count (the total, or that of a vertex if `by_vertex`) is wrong; an empty string
/// if all are right. For each edge, looks up the neighbours of the endpoint with fewer neighbours in marks of
/// the other endpoint's neighbours. All threads, O(sum over edges of the smaller degree).
std::string find_problem(const Graph& graph, const std::vector<std::uint64_t>& counts, bool by_vertex);

}  // namespace lockstep::triangles
