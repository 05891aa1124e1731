// A plan in device memory, and one sweep of it on the GPU.
#pragma once

#include <optional>
#include <variant>

#include "lockstep/executor/device/streams.cuh"
#include "lockstep/executor/edge/plan.hpp"
#include "lockstep/executor/edge/walks.cuh"

namespace lockstep::gpu {

/// What an operator takes of a multiprocessor.
template <EdgeOperator Op>
OperatorSize size_of(const Op& op) {
    OperatorSize size{Op::Lanes::lanes, sizeof(typename Op::Col), sizeof(Slot<Op>)};
    if constexpr (CanBeOnChip<Op>) {
        size.vector_bytes = op.vector_bytes();
        op.on_chip([&]<class Chip>(const Chip&) {
            size.star_words = LongStar<Chip>::fixed_floats,
            size.star_place_words = LongStar<Chip>::place_floats;
        });
    }
    return size;
}

/// Of the plans that a variant has; nothing where there are no edges.
template <class Plans>
struct OnDeviceOf;
template <class... Plans>
struct OnDeviceOf<std::variant<Plans...>> {
    using Type = std::variant<std::monostate, OnDevice<Plans>...>;
};

class DevicePlan {
public:
    /// Uploads a plan for operators like `op`, which is asked for its size alone. Throws ScheduleError
    /// (no_device) with the reason where it does not fit on chip (why_not), Error (no_device) with both
    /// numbers where the device has too little memory for the plan and what the application takes.
    template <EdgeOperator Op>
    DevicePlan(const EdgePlan& plan, const Op& op, const Room& room = {}) {
        if (plan.edges() == 0) return;
        const OperatorSize size = size_of(op);
        std::visit([&](const auto& walk) { upload(plan, walk, size, room); }, plan.walk);
    }

    /// One sweep; returns when it is done. gather() brings the vectors. `*seconds` is its time on the device.
    /// Throws Error (usage) for an operator that cannot be on chip where the plan wants it there.
    template <EdgeOperator Op>
    SweepCounts sweep(const Op& op, double* seconds) {
        *seconds = 0;
        return std::visit([&](auto& walk) { return run(walk, op, seconds); }, walk_);
    }

    /// The vectors to where `op` has them: sweeps of tiles leave some in the order of their blocks.
    template <EdgeOperator Op>
    void gather(const Op& op) {
        if constexpr (CanBeOnChip<Op>) {
            if (auto* tiled = get_if<TiledPlan>()) op.on_chip([&](const auto& chip) { tiled->gather(chip); });
        }
    }

    /// The values of the plan's edges have changed.
    void set_values(const EdgePlan& plan) {
        std::visit([&](const auto& walk) { set_values(plan, walk); }, plan.walk);
    }

    /// The edges, unless tiles alone hold them.
    const EdgesView* edges() const { return edges_ ? &edges_->view() : nullptr; }
    /// The walk itself, if it is that one.
    template <class Walk>
    OnDevice<Walk>* get_if() {
        return std::get_if<OnDevice<Walk>>(&walk_);
    }
    /// Device memory, with what the application takes.
    EdgeId bytes() const { return bytes_; }

private:
    template <class Walk>
    void upload(const EdgePlan& plan, const Walk& walk, const OperatorSize& size, const Room& room) {
        if constexpr (std::is_constructible_v<OnDevice<Walk>, const EdgePlan&, const Walk&,
                                              const OperatorSize&, const Room&>) {
            bytes_ = walk_.template emplace<OnDevice<Walk>>(plan, walk, size, room).bytes();
            return;
        } else {
            if (const auto why = why_not(plan, size, device_properties()))
                throw ScheduleError(*why, Failure::no_device);
            const auto require = [&](EdgeId bytes) {
                bytes_ = bytes + room.other_bytes;
                require_memory(bytes_, "a smaller rank needs less, --device cpu none");
            };
            require(EdgesOnDevice::bytes(plan) + OnDevice<Walk>::bytes(plan, walk));
            edges_.emplace(plan);
            walk_.emplace<OnDevice<Walk>>(plan, edges_->view(), walk);
        }
    }

    template <class Walk>
    void set_values(const EdgePlan& plan, const Walk& walk) {
        auto* const there = get_if<Walk>();
        if (!there) return;  // no edges
        if (edges_) edges_->set_values(plan);
        if constexpr (requires { there->set_values(plan, walk); }) there->set_values(plan, walk);
    }

    template <class Walk>
    static constexpr bool on_chip() {
        return requires { Walk::on_chip; };
    }
    template <class Walk, EdgeOperator Op>
    static SweepCounts run(OnDevice<Walk>& walk, const Op& op, double* seconds) {
        if constexpr (!on_chip<Walk>()) walk.template prepare<Op>();
        walk.reset();
        Timer timer;
        if constexpr (!on_chip<Walk>()) {
            walk.sweep(op);
        } else if constexpr (CanBeOnChip<Op>) {
            op.on_chip([&](const auto& chip) { walk.sweep(chip); });
        } else {
            throw Error(Failure::usage,
                        "the operator cannot be taken to a multiprocessor (edge/on_chip.hpp)");
        }
        *seconds = timer.seconds();
        return walk.counts();
    }
    static SweepCounts run(std::monostate, const auto&, double*) { return {0, 1}; }  // no edges

    EdgeId bytes_ = 0;
    std::optional<EdgesOnDevice> edges_;
    OnDeviceOf<EdgeWalk>::Type walk_;
};

}  // namespace lockstep::gpu
