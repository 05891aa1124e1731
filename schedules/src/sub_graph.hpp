// A subset of the edges of a graph as a separate graph.
#pragma once

#include "lockstep/schedules/graph.hpp"

namespace lockstep {

struct SubGraph {
    Graph graph;         ///< graph of the edges, without weights
    Array<EdgeId> edge;  ///< edge of `graph` -> edge of the whole graph
};

/// Returns the graph of `edges` (ascending IDs) of `whole`; row[e] is the row of edge e. `turned`: rows and
/// columns are exchanged. `compact`: vertices without any of the edges are removed, and the others are
/// renumbered in the same order. O(edges + vertices); 20 bytes per edge, 4 per vertex.
SubGraph sub_graph(const Graph& whole, const Array<VertexId>& row, Array<EdgeId> edges, bool turned,
                   bool compact);

}  // namespace lockstep
