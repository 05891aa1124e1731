// Conversion of edges to undirected graphs, which contain two arcs for every edge, one in each direction.
#pragma once

#include "lockstep/schedules/graph.hpp"

namespace lockstep {

/// Replaces every edge of a square graph by two adjacent arcs, one in each direction. A self-loop stays one
/// arc.
void enter_both_arcs(std::vector<Triple>& edges);

/// Converts a graph of one set of vertices, which contains each edge once, to an undirected graph. The result
/// equals the graph that build_graph() builds from the same input with both arcs of each edge. O(edges).
Graph undirected(const Graph& one_set);

}  // namespace lockstep
