// A serial reference of a spanning forest of minimum weight, the forest as parents by vertex, and its
// verification. They share no code with the walks that find the forest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::mst {

/// The forest by vertex. The parent of a vertex is its neighbour on the path to the smallest vertex of its
/// tree, which has no parent.
struct Forest {
    std::vector<VertexId> parents;  ///< parent of each vertex; `root` for the smallest vertex of a tree
    std::vector<float> weights;     ///< weight of the edge to the parent; 0 for the smallest vertex of a tree
};
inline constexpr VertexId root = ~VertexId{0};

/// Returns the edges of a forest of minimum weight that joins all connected vertices, regardless of the
/// direction of arcs. Edges of the same weight are in the order of their smaller and larger vertex. The
/// result has two vertices per edge, the smaller one first, in ascending order. Kruskal's algorithm (1956):
/// serial, O(arcs log arcs).
std::vector<std::uint32_t> compute_reference(const Graph& graph);

/// Returns the forest of `edges`, a result of compute_reference(), by vertex. Throws Error if the edges are not
/// a forest. O(arcs log arcs).
Forest make_forest(const Graph& graph, const std::vector<std::uint32_t>& edges);

/// Returns the reason why this is not that forest; an empty string if it is: parents lead along edges of the
/// graph with these weights to the smallest vertex of each component, and every other edge of the graph comes
/// after all edges of the forest's path between its endpoints. O(arcs log arcs); the last check uses all
/// threads.
std::string find_problem(const Graph& graph, const Forest& forest);

}  // namespace lockstep::mst
