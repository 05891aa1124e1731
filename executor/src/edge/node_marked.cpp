#include "lockstep/executor/edge/node_marked.hpp"

#include "lockstep/executor/edge/node_locked.hpp"
#include "lockstep/schedules/grouping.hpp"

namespace lockstep {

Array<EdgeId> NodeMarkedPlan::sort_edges(const Graph& graph, const Schedule* schedule,
                                         std::span<const EdgeId> ids) {
    Array<EdgeId> rank = identity_order(graph.cols), order(ids.size());
    if (schedule && !schedule->col_order.empty()) {
        for (VertexId i = 0; i < graph.cols; ++i) rank[schedule->col_order[i]] = i;
    }
    group_ids(
        ids.size(), graph.cols, [&](EdgeId i) { return rank[graph.col[ids[i]]]; },
        [&](EdgeId i) { return ids[i]; }, graph.edges(), order.data());
    return order;
}

NodeMarkedPlan NodeMarkedPlan::make(const PlanParts& parts) {
    NodeLockedPlan plan = NodeLockedPlan::make(parts);
    return {std::move(plan.columns), std::move(plan.column_edges)};
}

}  // namespace lockstep
