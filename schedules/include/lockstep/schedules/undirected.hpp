// Undirected graphs, which have both arcs of every edge.
#pragma once

#include "lockstep/schedules/graph.hpp"

namespace lockstep {

/// Replaces every edge of a square graph by both of its arcs, side by side; a self-loop stays one arc.
void enter_both_arcs(std::vector<Triple>& edges);

/// Converts a graph of one set of vertices, which has each edge once, to an undirected graph, which has both arcs of
/// each edge: the graph that is built from the same input with both arcs of its edges. O(edges).
Graph undirected(const Graph& one_set);

}  // namespace lockstep
