// Walks made of two others, on the GPU.
#pragma once

#include "lockstep/executor/edge/composed.hpp"
#include "lockstep/executor/edge/edge_locked.cuh"
#include "lockstep/executor/edge/node_locked.cuh"
#include "lockstep/executor/edge/resident.cuh"

namespace lockstep::gpu {

template <class First, class Rest>
class OneThenOther {
public:
    void reset() { first_.reset(), rest_.reset(); }
    template <EdgeOperator Op>
    void prepare() {
        first_.template prepare<Op>(), rest_.template prepare<Op>();
    }
    template <EdgeOperator Op>
    void sweep(const Op& op) {
        first_.sweep(op), rest_.sweep(op);
    }
    SweepCounts counts() const { return first_.counts() + rest_.counts(); }

protected:
    /// make_first(rest) is the first one.
    template <class MakeFirst>
    OneThenOther(OnDevice<Rest> rest, MakeFirst make_first)
        : rest_(std::move(rest)), first_(make_first(rest_)) {}

private:
    OnDevice<Rest> rest_;
    OnDevice<First> first_;
};

template <>
class OnDevice<EdgeLockedThenResident> : public OneThenOther<EdgeLockedPlan, ResidentPlan> {
public:
    OnDevice(const EdgeList& list, const EdgesView& edges, const EdgeLockedThenResident& plan)
        : OneThenOther({list, edges, plan.rest},
                       [&](const auto&) { return OnDevice<EdgeLockedPlan>(list, edges, plan.first); }) {}
    static EdgeId bytes(const EdgeList& list, const EdgeLockedThenResident& plan) {
        return OnDevice<EdgeLockedPlan>::bytes(list, plan.first) +
               OnDevice<ResidentPlan>::bytes(list, plan.rest);
    }
};

/// What NL puts off goes to the worklist of EL.
template <>
class OnDevice<NodeLockedThenEdge> : public OneThenOther<NodeLockedPlan, EdgeLockedPlan> {
public:
    OnDevice(const EdgeList& list, const EdgesView& edges, const NodeLockedThenEdge& plan)
        : OneThenOther({list, edges, plan.rest, false}, [&](const auto& rest) {
              return OnDevice<NodeLockedPlan>(edges, plan.first, rest.view());
          }) {}
    static EdgeId bytes(const EdgeList& list, const NodeLockedThenEdge& plan) {
        return plan.bytes() + OnDevice<EdgeLockedPlan>::bytes(list, plan.rest);
    }
};

}  // namespace lockstep::gpu
