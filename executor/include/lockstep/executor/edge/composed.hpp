// Two strategies of Kaleem et al. that combine existing walks: each sweep runs one walk on a part of the
// edges, and then another walk on the remaining edges. Here are their plans and their CPU code.
#pragma once

#include "lockstep/executor/edge/edge_locked.hpp"
#include "lockstep/executor/edge/node_locked.hpp"
#include "lockstep/executor/edge/resident.hpp"

namespace lockstep {

/// EL+SGM (Kaleem et al., V-A): the first edges of the plan, which are edges of hubs, run under the locks of
/// EL (edge_locked.hpp). The remaining edges then run by the schedule SGM without locks (resident.hpp).
struct EdgeLockedThenResident {
    static constexpr Walk facts{.name = "edge_locked_then_resident",
                                .form = forms::resident_after_locks,
                                .bound = "hubs",
                                .one_set = false};
    EdgeLockedPlan first;
    ResidentPlan rest;

    static EdgeLockedThenResident make(const PlanParts& parts) {
        const EdgeId locked = parts.kept.before(parts.schedule->locked);
        return {plan_edge_locked(parts.edges, locked, true), ResidentPlan::make(parts)};
    }
    EdgeId phases() const { return rest.phases(); }
    EdgeId bytes() const { return rest.bytes(); }
    std::optional<std::string> why_not(const EdgeList& edges, const OperatorSize& size,
                                       const gpu::Properties& device) const {
        return rest.why_not(edges, size, device);
    }
    template <class Model>
    static void terms(Model& m) {
        if (m.schedule.locked > 0) {
            m.add("chain", "the hub's " + m.count(m.cols_degree) + " edges, updated under locks",
                  m.cols_degree * m.cost("locked.chain"));
            m.add("locked", m.count(m.schedule.locked) + " edges of hubs",
                  m.schedule.locked * m.cost("locked.edge.near"));
        }
        ResidentPlan::terms(m);
    }
};

/// NL→EL (Kaleem et al., V-B): NL (node_locked.hpp) makes one pass over all edges. EL (edge_locked.hpp) then
/// runs the edges whose row was locked during that pass.
struct NodeLockedThenEdge {
    static constexpr Walk facts{.name = "node_locked_then_edge", .bound = "locks"};
    NodeLockedPlan first;
    EdgeLockedPlan rest;

    static Array<EdgeId> sort_edges(const Graph& graph, const Schedule* schedule,
                                    std::span<const EdgeId> ids) {
        return NodeLockedPlan::sort_edges(graph, schedule, ids);
    }
    static NodeLockedThenEdge make(const PlanParts& parts) {
        return {NodeLockedPlan::make(parts), plan_edge_locked(parts.edges, parts.edges.edges(), false)};
    }
    EdgeId bytes() const { return first.bytes(); }
    template <class Model>
    static void terms(Model& m) {
        NodeLockedPlan::terms(m);
    }
};

namespace cpu {

template <EdgeOperator Op>
SweepCounts sweep(const EdgeList& edges, const EdgeLockedThenResident& plan, const Op& op, Locks& locks,
                  int threads) {
    const SweepCounts first = sweep(edges, plan.first, op, locks, threads);
    return first + sweep(edges, plan.rest, op, locks, threads);
}

template <EdgeOperator Op>
SweepCounts sweep(const EdgeList& edges, const NodeLockedThenEdge& plan, const Op& op, Locks& locks,
                  int threads) {
    std::vector<EdgeId> left;
    SweepCounts first = sweep_columns(edges, plan.first, op, locks, threads, 1, left);
    first.hub_tries = plan.rest.hub.edges;
    return first + sweep_locked(edges, plan.rest, op, locks, std::move(left), threads);
}

}  // namespace cpu

}  // namespace lockstep
