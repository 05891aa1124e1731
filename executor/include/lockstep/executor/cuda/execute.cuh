// One sweep of a plan on the GPU.
#pragma once

#include "lockstep/executor/cuda/offline.cuh"
#include "lockstep/executor/cuda/online.cuh"
#include "lockstep/executor/cuda/tuning.hpp"

namespace lockstep::gpu {

/// Launches the resident traversal, or says how many items a block may have at most.
template <EdgeOperator Op>
void launch_resident(const DevicePlan& plan, const Op& op) {
    int device = 0, sms = 0, shared_limit = 0;
    LOCKSTEP_CUDA(cudaGetDevice(&device));
    LOCKSTEP_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    LOCKSTEP_CUDA(cudaDeviceGetAttribute(&shared_limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    constexpr int threads = tuning::resident.threads;
    const EdgeId workers = static_cast<EdgeId>(sms) * threads / Op::Lanes::lanes;
    const EdgeId slots = std::max<EdgeId>(1, (plan.largest_block() + workers - 1) / workers);
    constexpr EdgeId slot_bytes = sizeof(Slot<Op>) * threads;
    if (slots * slot_bytes > static_cast<EdgeId>(shared_limit)) {
        throw ScheduleError("the schedule keeps blocks of " + std::to_string(plan.largest_block()) +
                                " items on chip, but this device holds " +
                                std::to_string(static_cast<EdgeId>(shared_limit) / slot_bytes * workers) +
                                " at this rank; preprocess with a smaller --workers",
                            Failure::no_device);
    }
    launch_cooperative(resident_kernel<Op>, threads, tuning::resident.blocks_per_sm, slots * slot_bytes,
                       plan.view(), op, slots);
}

/// One sweep; returns when it is done. `*seconds` is its time on the device.
template <EdgeOperator Op>
SweepCounts execute(DevicePlan& plan, const Op& op, double* seconds) {
    if (plan.view().edges == 0) {
        *seconds = 0;
        return {};
    }
    plan.reset_counters();
    const auto launch = [&](auto kernel, tuning::Shape shape, const auto&... arguments) {
        launch_cooperative(kernel, shape.threads, shape.blocks_per_sm, 0, plan.view(), op, arguments...);
    };
    Timer timer;
    if (plan.view().locked) launch(edge_locked_kernel<Op>, tuning::edge_locked);
    EdgeId offline_updates = 0;
    switch (plan.traversal()) {
        case Traversal::edge_locked:
            break;
        case Traversal::phases:
            launch(phase_kernel<Op>, tuning::phases);
            break;
        case Traversal::tasks:
            launch(task_kernel<Op>, tuning::tasks);
            break;
        case Traversal::tiled:
            launch(tile_kernel<Op>, tuning::tasks);
            break;
        case Traversal::resident:
            launch_resident(plan, op);
            break;
        case Traversal::node_locked:
            launch(node_locked_kernel<Op>, tuning::node_locked, plan.edge_locked_rest());
            break;
        case Traversal::racing:
            launch(racing_kernel<Op>, tuning::racing, plan.racing_workers());
            break;
        default:  // no plan has it
            break;
    }
    *seconds = timer.seconds();
    const std::vector<EdgeId> counters = plan.counters();
    const bool offline = plan.traversal() == Traversal::phases || plan.traversal() == Traversal::tasks ||
                         plan.traversal() == Traversal::tiled || plan.traversal() == Traversal::resident;
    if (offline) offline_updates = plan.view().edges - plan.view().locked;
    return {counters[updates] + offline_updates,
            std::max<std::uint64_t>(1, counters[passes] + (offline ? 1 : 0))};
}

}  // namespace lockstep::gpu
