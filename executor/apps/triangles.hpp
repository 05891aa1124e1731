// Triangle counting: a serial reference, and the verification of counts. They share no code with the walks
// that count triangles.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::triangles {

/// Returns the number of triangles that contain each vertex, in the undirected graph without loops and
/// repeated edges. For each edge, searches for each vertex of the shorter of its endpoints' lists of
/// neighbours in the longer list. Serial, O(sum over all edges of the smaller degree times the logarithm of
/// the larger degree).
std::vector<std::uint64_t> compute_reference(const Graph& graph);

/// Verifies triangle counts: one count per vertex if `by_vertex`, otherwise only the total. Returns a
/// description of the first error, or an empty string. For each edge, marks the neighbours of the endpoint
/// with more neighbours, and counts the marked neighbours of the other endpoint. All threads, O(sum over all
/// edges of the smaller degree).
std::string find_problem(const Graph& graph, const std::vector<std::uint64_t>& counts, bool by_vertex);

}  // namespace lockstep::triangles
