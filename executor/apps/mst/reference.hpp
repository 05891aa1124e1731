// A spanning forest of least weight by other means: a serial reference, the forest as parents by vertex, and
// its proof. They share no code with what finds it elsewhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::mst {

/// The forest by vertex: from each to a neighbour nearer to the smallest vertex of its tree, which has none.
struct Forest {
    std::vector<VertexId> parents;  ///< `root` of those
    std::vector<float> weights;     ///< of the edge to it; 0 of those
};
inline constexpr VertexId root = ~VertexId{0};

/// Edges of least weight that join all that is connected, whichever way the arcs go; those of one weight in
/// the order of their smaller and larger vertex: two vertices each, the smaller first, ascending. By edges in
/// their order, and sets (Kruskal, 1956). Serial, O(arcs log arcs).
std::vector<std::uint32_t> reference_edges(const Graph& graph);

/// `edges` as above, which must be a forest. Throws Error where they are not. O(arcs log arcs).
Forest forest_of(const Graph& graph, const std::vector<std::uint32_t>& edges);

/// Why this is not that forest; empty: parents lead along edges of the graph of these weights to the smallest
/// vertex of each component, and no other edge of the graph comes before all edges of the way between its
/// ends in the forest. O(arcs log arcs), the last part on all threads.
std::string problem_of_forest(const Graph& graph, const Forest& forest);

}  // namespace lockstep::mst
