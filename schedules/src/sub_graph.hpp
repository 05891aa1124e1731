// Some edges of a graph as a graph of their own.
#pragma once

#include "lockstep/schedules/graph.hpp"

namespace lockstep {

struct SubGraph {
    Graph graph;         ///< without weights
    Array<EdgeId> edge;  ///< its edge -> that of the whole graph
};

/// `edges`, ascending, of `whole`, whose edge e is in row row[e]. `turned`: with rows for columns. `compact`:
/// vertices without any of the edges are left out, the others are numbered anew in their order. O(edges +
/// vertices); 20 bytes an edge, 4 a vertex.
SubGraph sub_graph(const Graph& whole, const Array<VertexId>& row, Array<EdgeId> edges, bool turned,
                   bool compact);

}  // namespace lockstep
