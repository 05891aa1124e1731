// Component and Paths: the lengths of shortest paths from a vertex to all vertices of its connected
// component.
#pragma once

#include <span>
#include <vector>

#include "lockstep/executor/csr/csr.hpp"

namespace lockstep::layout {

/// A connected component of an undirected graph: the vertices first … first + vertices - 1, which have no
/// neighbours outside this range. Within the component, vertices are numbered from 0.
struct Component {
    CsrView graph;
    VertexId first = 0, vertices = 0;
    double scale = 1;  ///< factor from the weight of an edge to its length

    /// Calls use(neighbour, length of the edge) for each neighbour of a vertex.
    template <class Use>
    void for_each_neighbour(VertexId v, Use use) const {
        for (const EdgeId e : graph.edges_of(first + v)) use(graph.ends[e] - first, scale * graph.weight(e));
    }
};

/// Computes distances from one vertex to all vertices of a component, by breadth-first search or, with
/// weights, by Dijkstra's algorithm. Distances are sums in double precision that start at the source.
/// O(edges), with weights O(edges log vertices) per source. Each thread needs an object of its own.
class Paths {
public:
    explicit Paths(const Component& component);
    /// Returns the distances from `source` to all vertices. They are valid until the next call.
    std::span<const double> from(VertexId source);

private:
    void search_breadth_first(VertexId source);
    void search_by_weight(VertexId source);

    Component component_;
    std::vector<double> distance_;
    std::vector<VertexId> queue_;
    std::vector<std::pair<double, VertexId>> heap_;
};

}  // namespace lockstep::layout
