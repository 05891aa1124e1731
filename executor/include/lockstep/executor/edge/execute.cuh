// DevicePlan: a plan in device memory. It uploads the plan of any walk and runs sweeps of it on the GPU.
#pragma once

#include <optional>
#include <variant>

#include "lockstep/executor/device/streams.cuh"
#include "lockstep/executor/edge/plan.hpp"
#include "lockstep/executor/edge/walks.cuh"

namespace lockstep::gpu {

/// Returns the memory that the operator needs per edge and per vertex.
template <EdgeOperator Op>
OperatorSize size_of(const Op& op) {
    OperatorSize size{Op::Lanes::lanes, sizeof(typename Op::Col), sizeof(Slot<Op>)};
    if constexpr (HasSharedMemoryOperator<Op>) {
        size.vector_bytes = op.vector_bytes();
        op.run_in_shared_memory([&]<class Chip>(const Chip&) {
            size.star_words = LongStar<Chip>::fixed_floats,
            size.star_place_words = LongStar<Chip>::place_floats;
        });
    }
    return size;
}

/// A std::variant with DeviceWalk<Plan> for each plan type of std::variant<Plans…>. std::monostate stands for
/// a plan without edges.
template <class Plans>
struct DeviceWalkOf;
template <class... Plans>
struct DeviceWalkOf<std::variant<Plans...>> {
    using Type = std::variant<std::monostate, DeviceWalk<Plans>...>;
};

class DevicePlan {
public:
    /// Uploads a plan for operators of the type and the vector size of `op`. Throws ScheduleError (no_device)
    /// with the reason if the plan does not fit in shared memory (why_not), and Error (no_device) with the
    /// required and the available size if the plan and the application do not fit in device memory.
    template <EdgeOperator Op>
    DevicePlan(const EdgePlan& plan, const Op& op, const DeviceMemoryLimits& limits = {}) {
        if (plan.edges() == 0) return;
        const OperatorSize size = size_of(op);
        std::visit([&](const auto& walk) { upload(plan, walk, size, limits); }, plan.walk);
    }

    /// Runs one sweep, and returns when it is complete. `*seconds` is the time of the sweep on the device.
    /// After sweeps, only gather() guarantees that all vectors are at their positions in the arrays of `op`.
    /// Throws Error (usage) if the walk requires vertices in shared memory and the operator does not support
    /// them.
    template <EdgeOperator Op>
    SweepCounts sweep(const Op& op, double* seconds) {
        *seconds = 0;
        return std::visit([&](auto& walk) { return run(walk, op, seconds); }, walk_);
    }

    /// Copies the vectors to their positions in the arrays of `op`. The tiled walk leaves some of them in the
    /// order of its blocks.
    template <EdgeOperator Op>
    void gather(const Op& op) {
        if constexpr (HasSharedMemoryOperator<Op>) {
            if (auto* tiled = get_if<TiledPlan>())
                op.run_in_shared_memory([&](const auto& chip) { tiled->gather(chip); });
        }
    }

    /// Uploads the values of the edges again, after they have changed in `plan`.
    void set_values(const EdgePlan& plan) {
        std::visit([&](const auto& walk) { set_values(plan, walk); }, plan.walk);
    }

    /// Returns the edges in device memory, or nullptr if the walk stores them in a layout of its own.
    const EdgesView* edges() const { return edges_ ? &edges_->view() : nullptr; }
    /// Returns the walk as DeviceWalk<Walk>, or nullptr if the plan belongs to another walk.
    template <class Walk>
    DeviceWalk<Walk>* get_if() {
        return std::get_if<DeviceWalk<Walk>>(&walk_);
    }
    /// Returns the device memory in use, including that of the application, in bytes.
    EdgeId bytes() const { return bytes_; }

private:
    template <class Walk>
    void upload(const EdgePlan& plan, const Walk& walk, const OperatorSize& size,
                const DeviceMemoryLimits& limits) {
        if constexpr (std::is_constructible_v<DeviceWalk<Walk>, const EdgePlan&, const Walk&,
                                              const OperatorSize&, const DeviceMemoryLimits&>) {
            bytes_ = walk_.template emplace<DeviceWalk<Walk>>(plan, walk, size, limits).bytes();
            return;
        } else {
            if (const auto why = why_not(plan, size, device_properties()))
                throw ScheduleError(*why, Failure::no_device);
            const auto require = [&](EdgeId bytes) {
                bytes_ = bytes + limits.other_bytes;
                require_memory(bytes_, "use a smaller --rank, or --device cpu");
            };
            require(EdgesOnDevice::bytes(plan) + DeviceWalk<Walk>::bytes(plan, walk));
            edges_.emplace(plan);
            walk_.emplace<DeviceWalk<Walk>>(plan, edges_->view(), walk);
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
    static constexpr bool uses_shared_memory() {
        return requires { Walk::in_shared_memory; };
    }
    template <class Walk, EdgeOperator Op>
    static SweepCounts run(DeviceWalk<Walk>& walk, const Op& op, double* seconds) {
        if constexpr (!uses_shared_memory<Walk>()) walk.template prepare<Op>();
        walk.reset();
        Timer timer;
        if constexpr (!uses_shared_memory<Walk>()) {
            walk.sweep(op);
        } else if constexpr (HasSharedMemoryOperator<Op>) {
            op.run_in_shared_memory([&](const auto& chip) { walk.sweep(chip); });
        } else {
            throw Error(Failure::usage, "the operator does not support shared memory (edge/on_chip.hpp)");
        }
        *seconds = timer.seconds();
        return walk.counts();
    }
    static SweepCounts run(std::monostate, const auto&, double*) { return {0, 1}; }  // the plan has no edges

    EdgeId bytes_ = 0;
    std::optional<EdgesOnDevice> edges_;
    DeviceWalkOf<EdgeWalk>::Type walk_;
};

}  // namespace lockstep::gpu
