// A plan in device memory, and the execution of one sweep on the GPU.
#pragma once

#include <optional>
#include <variant>

#include "lockstep/executor/device/streams.cuh"
#include "lockstep/executor/edge/plan.hpp"
#include "lockstep/executor/edge/walks.cuh"

namespace lockstep::gpu {

/// Returns the resources of a multiprocessor that an operator uses.
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

/// The variant of OnDevice for all plans of a variant; std::monostate stands for a plan without edges.
template <class Plans>
struct OnDeviceOf;
template <class... Plans>
struct OnDeviceOf<std::variant<Plans...>> {
    using Type = std::variant<std::monostate, OnDevice<Plans>...>;
};

class DevicePlan {
public:
    /// Uploads a plan for operators like `op`, of which only the size is used. Throws ScheduleError
    /// (no_device) with the reason if the plan does not fit in shared memory (why_not), and Error (no_device)
    /// with both sizes if the device has too little memory for the plan and the application.
    template <EdgeOperator Op>
    DevicePlan(const EdgePlan& plan, const Op& op, const Room& room = {}) {
        if (plan.edges() == 0) return;
        const OperatorSize size = size_of(op);
        std::visit([&](const auto& walk) { upload(plan, walk, size, room); }, plan.walk);
    }

    /// Runs one sweep, and returns when it is done. Only gather() brings all vectors back to their places in
    /// `op`. `*seconds` is the time of the sweep on the device. Throws Error (usage) if the plan requires
    /// vertices in shared memory and the operator does not support them.
    template <EdgeOperator Op>
    SweepCounts sweep(const Op& op, double* seconds) {
        *seconds = 0;
        return std::visit([&](auto& walk) { return run(walk, op, seconds); }, walk_);
    }

    /// Copies the vectors to their places in `op`: sweeps of tiles leave some vectors in the order of the
    /// blocks.
    template <EdgeOperator Op>
    void gather(const Op& op) {
        if constexpr (CanBeOnChip<Op>) {
            if (auto* tiled = get_if<TiledPlan>()) op.on_chip([&](const auto& chip) { tiled->gather(chip); });
        }
    }

    /// Uploads the values of the plan's edges after they have changed.
    void set_values(const EdgePlan& plan) {
        std::visit([&](const auto& walk) { set_values(plan, walk); }, plan.walk);
    }

    /// Returns the edges, or nullptr if only the walk stores them.
    const EdgesView* edges() const { return edges_ ? &edges_->view() : nullptr; }
    /// Returns the walk, or nullptr if it is another one.
    template <class Walk>
    OnDevice<Walk>* get_if() {
        return std::get_if<OnDevice<Walk>>(&walk_);
    }
    /// Returns the device memory in use, including that of the application, in bytes.
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
        if (!there) return;  // the plan has no edges
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
    static SweepCounts run(std::monostate, const auto&, double*) { return {0, 1}; }  // the plan has no edges

    EdgeId bytes_ = 0;
    std::optional<EdgesOnDevice> edges_;
    OnDeviceOf<EdgeWalk>::Type walk_;
};

}  // namespace lockstep::gpu
