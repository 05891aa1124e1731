#include "verify_adjacency.hpp"

#include <algorithm>
#include <tuple>

namespace lockstep {

namespace {

/// Returns a description of the first vertex of `order` that violates the order by decreasing degree, or an
/// empty string.
std::string order_fault(const std::vector<VertexId>& order, const std::vector<EdgeId>& degree,
                        const char* side) {
    for (std::size_t p = 1; p < order.size(); ++p) {
        const VertexId a = order[p - 1], b = order[p];
        if (degree[a] > degree[b] || (degree[a] == degree[b] && a < b)) continue;
        return std::string(side) + " " + std::to_string(b) + " of degree " + std::to_string(degree[b]) +
               " comes after " + std::to_string(a) + " of degree " + std::to_string(degree[a]);
    }
    return {};
}

std::vector<VertexId> places(const std::vector<VertexId>& order) {
    std::vector<VertexId> place(order.size());
    for (std::size_t p = 0; p < order.size(); ++p) place[order[p]] = static_cast<VertexId>(p);
    return place;
}

}  // namespace

bool promises_adjacency(const std::string& name) { return name == "hubs" || name == "hubs-weight"; }

std::string adjacency_fault(const Graph& graph, const Schedule& schedule) {
    const bool by_weight = schedule.name == "hubs-weight", square = graph.shape == GraphShape::square;
    std::vector<EdgeId> of_row(graph.rows), of_col(graph.cols);
    std::vector<VertexId> row(graph.edges());
    for (VertexId u = 0; u < graph.rows; ++u) {
        of_row[u] += graph.row_offsets[u + 1] - graph.row_offsets[u];
        for (const EdgeId e : graph.edges_of(u)) {
            row[e] = u;
            ++(square ? of_row : of_col)[graph.col[e]];
        }
    }
    if (square && schedule.row_order != schedule.col_order)
        return "has different orders for the rows and columns of a square graph";
    std::string fault = order_fault(schedule.row_order, of_row, square ? "vertex" : "row");
    if (fault.empty() && !square) fault = order_fault(schedule.col_order, of_col, "column");
    if (!fault.empty()) return fault;

    const std::vector<VertexId> row_place = places(schedule.row_order),
                                col_place = places(schedule.col_order);
    const auto rank = [&](EdgeId i) {
        const EdgeId e = schedule.order[i];
        return std::tuple(row_place[row[e]], by_weight ? graph.weight(e) : 0.0F, col_place[graph.col[e]]);
    };
    const EdgeId none = schedule.order.size();
    EdgeId found = none;
#pragma omp parallel for schedule(static) reduction(min : found)
    for (EdgeId i = 1; i < schedule.order.size(); ++i) {
        if (rank(i) < rank(i - 1)) found = std::min(found, i);
    }
    if (found == none) return {};
    const auto name = [&](EdgeId i) {
        const EdgeId e = schedule.order[i];
        return "edge " + std::to_string(e) + " (" + std::to_string(row[e]) + ", " +
               std::to_string(graph.col[e]) + ")" +
               (by_weight ? " of weight " + std::to_string(graph.weight(e)) : std::string());
    };
    return name(found) + " comes after " + name(found - 1) +
           ", although the order requires it to come before";
}

}  // namespace lockstep
