// The GPU code of the two strategies that run two walks one after the other (composed.hpp): EL+SGM and NL→EL.
#pragma once

#include "lockstep/executor/edge/composed.hpp"
#include "lockstep/executor/edge/edge_locked.cuh"
#include "lockstep/executor/edge/node_locked.cuh"
#include "lockstep/executor/edge/resident.cuh"

namespace lockstep::gpu {

template <class First, class Rest>
class ComposedPlan {
public:
    void reset() { first_.reset(), rest_.reset(); }
    template <EdgeOperator Op>
    void prepare() {
        first_.template prepare<Op>(), rest_.template prepare<Op>();
    }
    SweepCounts counts() const { return first_.counts() + rest_.counts(); }

protected:
    /// Constructs the second walk first, because make_first(rest) constructs the first walk from it.
    template <class MakeFirst>
    ComposedPlan(DeviceWalk<Rest> rest, MakeFirst make_first)
        : rest_(std::move(rest)), first_(make_first(rest_)) {}

    DeviceWalk<Rest> rest_;
    DeviceWalk<First> first_;
};

template <>
class DeviceWalk<EdgeLockedThenResident> : public ComposedPlan<EdgeLockedPlan, ResidentPlan> {
public:
    DeviceWalk(const EdgeList& list, const EdgesView& edges, const EdgeLockedThenResident& plan)
        : ComposedPlan({list, edges, plan.rest},
                       [&](const auto&) { return DeviceWalk<EdgeLockedPlan>(list, edges, plan.first); }) {}
    template <EdgeOperator Op>
    void sweep(const Op& op) {
        first_.sweep(op), rest_.sweep(op);
    }
    void set_values(const EdgeList& list, const EdgeLockedThenResident& plan) {
        rest_.set_values(list, plan.rest);
    }
    static EdgeId bytes(const EdgeList& list, const EdgeLockedThenResident& plan) {
        return DeviceWalk<EdgeLockedPlan>::bytes(list, plan.first) +
               DeviceWalk<ResidentPlan>::bytes(list, plan.rest);
    }
};

/// Runs NL and then EL in one launch, because EL gets few edges here, and a second launch would take as long
/// as EL itself.
template <EdgeOperator Op>
__global__ void __launch_bounds__(tuning::node_locked.threads)
    node_locked_then_edge_kernel(NodeLockedView first, EdgeLockedView rest, Op op) {
    DeviceBarrier barrier(first.counters + arrivals);
    NodeLocked<Op, true>(first, op).run(barrier);
    edge_locked_passes(rest, op, barrier);
}

/// The walk NL→EL on one device. NL appends the edges that it could not lock to the worklist of EL.
template <>
class DeviceWalk<NodeLockedThenEdge> : public ComposedPlan<NodeLockedPlan, EdgeLockedPlan> {
public:
    DeviceWalk(const EdgeList& list, const EdgesView& edges, const NodeLockedThenEdge& plan)
        : ComposedPlan({list, edges, plan.rest, false}, [&](const auto& rest) {
              return DeviceWalk<NodeLockedPlan>(edges, plan.first, rest.view());
          }) {}
    template <EdgeOperator Op>
    void sweep(const Op& op) {
        launch(node_locked_then_edge_kernel<Op>, tuning::node_locked, 0, first_.view(), rest_.view(), op);
    }
    static EdgeId bytes(const EdgeList& list, const NodeLockedThenEdge& plan) {
        return plan.bytes() + DeviceWalk<EdgeLockedPlan>::bytes(list, plan.rest);
    }
};

}  // namespace lockstep::gpu
