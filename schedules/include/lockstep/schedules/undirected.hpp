// Undirected graphs, which contain both arcs of every edge.
#pragma once

#include "lockstep/schedules/graph.hpp"

namespace lockstep {

/// Replaces every edge of a square graph by its two arcs, next to each other. A self-loop stays one arc.
void enter_both_arcs(std::vector<Triple>& edges);

/// Converts a graph of one set of vertices, which contains each edge once, to an undirected graph, which
/// contains both arcs of each edge. The result equals the graph built from the same input with both arcs of
/// its edges. O(edges).
Graph undirected(const Graph& one_set);

}  // namespace lockstep
