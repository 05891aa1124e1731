// One sweep of a plan on the GPU.
#pragma once

#include "lockstep/executor/cuda/offline.cuh"
#include "lockstep/executor/cuda/online.cuh"
#include "lockstep/executor/cuda/racing.cuh"
#include "lockstep/executor/cuda/tuning.hpp"

namespace lockstep::gpu {

/// Dynamic shared memory that a block of `kernel` may have, in bytes.
template <class Kernel>
EdgeId shared_memory_limit(Kernel kernel) {
    int device = 0, limit = 0;
    cudaFuncAttributes attributes{};
    LOCKSTEP_CUDA(cudaGetDevice(&device));
    LOCKSTEP_CUDA(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    LOCKSTEP_CUDA(cudaFuncGetAttributes(&attributes, kernel));
    return static_cast<EdgeId>(limit) - attributes.sharedSizeBytes;
}

/// Launches the resident traversal, or says how many items a block may have at most.
template <EdgeOperator Op>
void launch_resident(const DevicePlan& plan, const Op& op) {
    int device = 0, sms = 0;
    LOCKSTEP_CUDA(cudaGetDevice(&device));
    LOCKSTEP_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    const EdgeId limit = shared_memory_limit(resident_kernel<Op>);
    constexpr int threads = tuning::resident.threads;
    const EdgeId workers = static_cast<EdgeId>(sms) * threads / Op::Lanes::lanes;
    const EdgeId slots = std::max<EdgeId>(1, (plan.largest_block() + workers - 1) / workers);
    constexpr EdgeId slot_bytes = sizeof(Slot<Op>) * threads;
    if (slots * slot_bytes > limit) {
        throw ScheduleError("the schedule keeps blocks of " + std::to_string(plan.largest_block()) +
                                " items on chip, but this device holds " +
                                std::to_string(limit / slot_bytes * workers) +
                                " at this rank; preprocess with a smaller --workers",
                            Failure::no_device);
    }
    launch_cooperative(resident_kernel<Op>, threads, tuning::resident.blocks_per_sm,
                       std::max<EdgeId>(slots * slot_bytes, sizeof(SmallPhases<Op>)), plan.view(), op, slots);
}

/// Launches racing with resident items, or says how many items a block may have at most.
template <EdgeOperator Op>
void launch_racing_tiles(const DevicePlan& plan, const Op& op) {
    // Vectors fetched ahead: as many as registers allow.
    constexpr int ahead = std::max<int>(
        1, std::min<int>(tuning::racing_ahead, 64 / static_cast<int>(sizeof(typename Op::Row))));
    auto kernel = racing_tile_kernel<Op, ahead, false>;
    if constexpr (AddingOperator<Op>) {
        if (op.adds()) kernel = racing_tile_kernel<Op, ahead, true>;
    }
    constexpr EdgeId item_bytes = sizeof(typename Op::Col) * Op::Lanes::lanes;
    const EdgeId limit = shared_memory_limit(kernel);
    if (plan.largest_block() * item_bytes > limit) {
        throw ScheduleError("the schedule keeps blocks of " + std::to_string(plan.largest_block()) +
                                " items on chip, but this device holds " +
                                std::to_string(limit / item_bytes) +
                                " at this rank; preprocess with a larger --rank",
                            Failure::no_device);
    }
    launch_cooperative(kernel, tuning::racing_tiles.threads, tuning::racing_tiles.blocks_per_sm,
                       plan.largest_block() * item_bytes, plan.view(), op);
}

/// One sweep; returns when it is done. `*seconds` is its time on the device.
template <EdgeOperator Op>
SweepCounts execute(DevicePlan& plan, const Op& op, double* seconds) {
    if (plan.view().edges == 0) {
        *seconds = 0;
        return {};
    }
    plan.prepare(Op::Lanes::lanes);
    plan.reset_counters();
    const auto launch = [&](auto kernel, tuning::Shape shape, const auto&... arguments) {
        launch_cooperative(kernel, shape.threads, shape.blocks_per_sm, 0, plan.view(), op, arguments...);
    };
    const auto launch_near = [&](auto kernel, tuning::Shape shape, std::size_t shared) {  // vectors in L1
        LOCKSTEP_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                           cudaSharedmemCarveoutMaxL1));
        launch_cooperative(kernel, shape.threads, shape.blocks_per_sm, shared, plan.view(), op);
    };
    Timer timer;
    if (plan.view().locked) launch(edge_locked_kernel<Op>, tuning::edge_locked);
    EdgeId offline_updates = 0;
    switch (plan.traversal()) {
        case Traversal::edge_locked:
            break;
        case Traversal::phases:
            launch_near(phase_kernel<Op>, tuning::phases, sizeof(SmallPhases<Op>));
            break;
        case Traversal::tasks:
            launch_near(task_kernel<Op>, tuning::tasks, 0);
            break;
        case Traversal::tiled:
        case Traversal::local:
            launch(tile_kernel<Op>, tuning::tiles);
            break;
        case Traversal::resident:
            launch_resident(plan, op);
            break;
        case Traversal::node_locked:
            launch(node_locked_kernel<Op>, tuning::node_locked, plan.edge_locked_rest());
            break;
        case Traversal::racing:
            if constexpr (AddingOperator<Op>) {
                if (op.adds()) {
                    launch(racing_kernel<Op, true>, tuning::racing, plan.racing_workers());
                    break;
                }
            }
            launch(racing_kernel<Op, false>, tuning::racing, plan.racing_workers());
            break;
        case Traversal::racing_tiles:
            launch_racing_tiles(plan, op);
            break;
        default:  // no plan has it
            break;
    }
    *seconds = timer.seconds();
    const std::vector<EdgeId> counters = plan.counters();
    const bool offline = plan.traversal() == Traversal::phases || plan.traversal() == Traversal::tasks ||
                         plan.traversal() == Traversal::tiled || plan.traversal() == Traversal::local ||
                         plan.traversal() == Traversal::resident;
    if (offline) offline_updates = plan.view().edges - plan.view().locked;
    return {counters[updates] + offline_updates,
            std::max<std::uint64_t>(1, counters[passes] + (offline ? 1 : 0))};
}

}  // namespace lockstep::gpu
