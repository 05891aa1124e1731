// Numbering: the positions of the vertices of a square graph in some order, by which plans identify vertices.
#pragma once

#include "lockstep/executor/csr/csr.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep {

/// Reorders values from positions in the plan's order to the order of the graph's vertices.
template <class Plan, class T>
std::vector<T> by_vertex(const Plan& plan, const T* by_position) {
    std::vector<T> result(by_position, by_position + plan.vertices);
    for (VertexId p = 0; p < plan.order.size(); ++p) result[plan.order[p]] = by_position[p];
    return result;
}

/// An order of the vertices and its inverse. `order` contains the vertex at each position; if it is empty,
/// positions equal vertices. The object keeps references to both arguments of its constructor.
class Numbering {
public:
    Numbering(const Graph& graph, const std::vector<VertexId>& order);
    VertexId vertex(VertexId p) const { return order.empty() ? p : order[p]; }
    VertexId position(VertexId v) const { return positions.empty() ? v : positions[v]; }
    /// Returns the CSR offsets of the out-arcs, indexed by the position of their source.
    Offsets out_offsets() const;

    const Graph& graph;
    const std::vector<VertexId>& order;
    std::vector<VertexId> positions;  ///< position of each vertex; empty: positions equal vertices
};

}  // namespace lockstep
