// The vertices of a square graph, numbered by their positions in an order.
#pragma once

#include "lockstep/executor/csr/csr.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep {

/// What was found by position in the order of a plan, by vertex of the graph.
template <class Plan, class T>
std::vector<T> by_vertex(const Plan& plan, const T* by_position) {
    std::vector<T> result(by_position, by_position + plan.vertices);
    for (VertexId p = 0; p < plan.order.size(); ++p) result[plan.order[p]] = by_position[p];
    return result;
}

/// `order`: position -> vertex; empty: as they are. Refers to both.
class Numbering {
public:
    Numbering(const Graph& graph, const std::vector<VertexId>& order);
    VertexId vertex(VertexId p) const { return order.empty() ? p : order[p]; }
    VertexId position(VertexId v) const { return positions.empty() ? v : positions[v]; }
    /// Position -> its arcs by source.
    Offsets out_offsets() const;

    const Graph& graph;
    const std::vector<VertexId>& order;
    std::vector<VertexId> positions;  ///< vertex -> position; empty: as they are
};

}  // namespace lockstep
