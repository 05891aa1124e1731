// Diagonal schedule (Kaleem et al., III-B.1): edges of equal row - column share no endpoint.
#include <algorithm>

#include "grouping.hpp"
#include "lockstep/schedules/builders.hpp"

namespace lockstep {

Schedule build_diag(const Graph& graph, const BuildOptions&) {
    Schedule schedule;
    schedule.name = "diag";
    schedule.disjoint = Disjoint::both;

    const std::vector<VertexId> row = edge_rows(graph);
    // Repeated pairs lie on one diagonal and conflict: the n-th occurrence goes to the n-th layer.
    std::vector<VertexId> layer(graph.edges(), 0);
    VertexId layers = 0;
    for (EdgeId e = 0; e < graph.edges(); ++e) {
        const bool repeat = e > 0 && row[e] == row[e - 1] && graph.col[e] == graph.col[e - 1];
        layer[e] = repeat ? layer[e - 1] + 1 : 0;
        layers = std::max(layers, layer[e] + 1);
    }
    const EdgeId diagonals = EdgeId{graph.rows} + graph.cols;
    const auto diagonal = [&](EdgeId e) { return EdgeId{row[e]} + graph.cols - 1 - graph.col[e]; };
    schedule.order = identity_order(graph.edges());
    if (layers > 1) group_stable(schedule.order, layers, [&](EdgeId e) { return layer[e]; });
    group_stable(schedule.order, diagonals, diagonal);

    std::vector<EdgeId>& phases = schedule.level(Level::phase);
    phases.assign(1, 0);
    const auto& order = schedule.order;
    for (EdgeId i = 0; i < order.size(); ++i) {
        if (i + 1 == order.size() || diagonal(order[i]) != diagonal(order[i + 1]) ||
            layer[order[i]] != layer[order[i + 1]]) {
            phases.push_back(i + 1);
        }
    }
    return schedule;
}

}  // namespace lockstep
