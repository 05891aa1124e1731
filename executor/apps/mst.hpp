// Minimum spanning forests: the forest as one parent per vertex, a serial reference, and the verification of
// a forest. They share no code with the walks that compute the forest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::mst {

/// A spanning forest with its edges directed to the roots. The root of a tree is its smallest vertex. The
/// parent of any other vertex is the next vertex on its path to the root.
struct Forest {
    std::vector<VertexId> parents;  ///< parent of each vertex; `root` if the vertex is the root of a tree
    std::vector<float> weights;  ///< weight of the edge to the parent; 0 if the vertex is the root of a tree
};
inline constexpr VertexId root = ~VertexId{0};

/// Returns the edges of a minimum spanning forest of the undirected graph. Edges of equal weight are ordered
/// by their smaller and then their larger endpoint, so the forest is unique. The result has two vertices per
/// edge, the smaller one first; the edges are in ascending order. Kruskal's algorithm (1956): serial, O(arcs
/// log(arcs)).
std::vector<std::uint32_t> compute_reference(const Graph& graph);

/// Converts the edges of a forest, in the format of compute_reference(), into parents and weights by vertex.
/// Throws Error if the edges are not a forest. O(arcs log(arcs)).
Forest make_forest(const Graph& graph, const std::vector<std::uint32_t>& edges);

/// Verifies a minimum spanning forest. Returns a description of the first error, or an empty string. The
/// forest is right if parents lead along edges of the graph, with the stored weights, to the smallest vertex
/// of each component, and if every other edge of the graph comes later in the order of weights than all edges
/// of the forest on the path between its endpoints. O(arcs log(arcs)); the comparison with paths uses all
/// threads.
std::string find_problem(const Graph& graph, const Forest& forest);

}  // namespace lockstep::mst
