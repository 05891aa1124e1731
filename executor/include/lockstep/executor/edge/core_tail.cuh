// Core and tail on the GPU: the kernels of tiles and phases, one launch after another.
#pragma once

#include <deque>

#include "lockstep/executor/edge/core_tail.hpp"
#include "lockstep/executor/edge/phases.cuh"
#include "lockstep/executor/edge/tiled/devices.cuh"

namespace lockstep::gpu {

template <>
class OnDevice<CoreTailPlan> {
public:
    /// Throws as OnDevice<TiledPlan>; on one device.
    OnDevice(const EdgeList& edges, const CoreTailPlan& plan, const OperatorSize& size, const Room& room)
        : edges_(edges),
          tail_(edges, edges_.view(), plan.tail),
          bytes_(room.other_bytes + EdgesOnDevice::bytes(edges) +
                 OnDevice<PhasesPlan>::bytes(edges, plan.tail)) {
        plan.for_each_core([&](const TiledPlan& core) {
            cores_.emplace_back(edges, core, size, Room{room.other_bytes, 1, room.device_memory});
            bytes_ += cores_.back().bytes() - room.other_bytes;
        });
    }
    template <EdgeOperator Op>
    void prepare() {
        tail_.template prepare<Op>();
    }
    void reset() {
        for (auto& core : cores_) core.reset();
        tail_.reset();
    }
    template <EdgeOperator Op>
    void sweep(const Op& op) {
        if constexpr (CanBeOnChip<Op>) {
            op.on_chip([&](const auto& chip) {
                for (auto& core : cores_) core.changed(), core.sweep(chip), core.gather(chip);
            });
        } else if (!cores_.empty()) {
            throw Error(Failure::usage,
                        "the operator cannot be taken to a multiprocessor (edge/on_chip.hpp)");
        }
        if (tail_.phases() > 0) tail_.sweep(op);
    }
    SweepCounts counts() const {
        SweepCounts counts = tail_.counts();
        for (const auto& core : cores_) counts.updates += core.counts().updates;
        return counts;
    }
    const EdgesView& edges() const { return edges_.view(); }
    /// Device memory, with what the application takes.
    EdgeId bytes() const { return bytes_; }

private:
    EdgesOnDevice edges_;
    OnDevice<PhasesPlan> tail_;
    std::deque<OnDevice<TiledPlan>> cores_;
    EdgeId bytes_;
};

}  // namespace lockstep::gpu
