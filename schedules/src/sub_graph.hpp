// Extraction of a subset of the edges of a graph as a graph of its own, transposed if requested.
#pragma once

#include "lockstep/schedules/graph.hpp"

namespace lockstep {

struct SubGraph {
    Graph graph;         ///< the graph of the subset, without weights
    Array<EdgeId> edge;  ///< edge ID in `graph` -> edge ID in the whole graph
};

/// Returns the graph of the given edges of `whole` (ascending IDs); row[e] is the row of edge e of `whole`.
/// `turned`: the result is transposed. `compact`: vertices that none of these edges has are removed, and the
/// remaining ones are renumbered in the same order. O(edges + vertices) time; 20 bytes per edge, 4 per
/// vertex.
SubGraph make_sub_graph(const Graph& whole, const Array<VertexId>& row, Array<EdgeId> edges, bool turned,
                        bool compact);

}  // namespace lockstep
