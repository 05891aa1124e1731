// Walks made of two others.
#pragma once

#include "lockstep/executor/edge/edge_locked.hpp"
#include "lockstep/executor/edge/node_locked.hpp"
#include "lockstep/executor/edge/resident.hpp"

namespace lockstep {

/// EL+SGM (Kaleem et al., V-A): the edges of hubs, which lead the list, under EL; the others as SGM.
struct EdgeLockedThenResident {
    EdgeLockedPlan first;
    ResidentPlan rest;

    EdgeId phases() const { return rest.phases(); }
    EdgeId bytes() const { return rest.bytes(); }
};

/// NL→EL (V-B): one pass of NL, what it leaves under EL.
struct NodeLockedThenEdge {
    NodeLockedPlan first;
    EdgeLockedPlan rest;

    EdgeId bytes() const { return first.bytes(); }
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
    const SweepCounts first = sweep_columns(edges, plan.first, op, locks, threads, 1, left);
    return first + sweep_locked(edges, op, locks, std::move(left), threads);
}

}  // namespace cpu

}  // namespace lockstep
