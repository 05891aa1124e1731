// The walk phase ⊃ task ⊃ edge (tasks.hpp) on the GPU: one cooperative launch, with one lane group per task.
#pragma once

#include "lockstep/executor/device/barrier.cuh"
#include "lockstep/executor/device/copies.cuh"
#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/device/warp.cuh"
#include "lockstep/executor/edge/edges.cuh"
#include "lockstep/executor/edge/near.cuh"
#include "lockstep/executor/edge/tasks.hpp"
#include "lockstep/executor/edge/tuning.hpp"

namespace lockstep::gpu {

struct TasksView {
    EdgesView edges;
    EdgeId phases;
    const EdgeId *phase_tasks, *task_offsets;
    EdgeId* counters;
};

/// Runs BlkDiag (Kaleem et al., III-B.2): each task is one block of the ratings matrix. The vector of a
/// column stays in registers while consecutive edges of the task share the column. The vectors of the rows
/// stay in the L1 cache.
template <EdgeOperator Op>
__global__ void __launch_bounds__(tuning::tasks.threads) task_kernel(TasksView plan, Op op) {
    constexpr EdgeId ahead = 8;
    __shared__ float sink[tuning::tasks.threads / Op::Lanes::lanes][2 * ahead]
                         [CachedVectorAccess<Op>::prefetch_words];
    DeviceBarrier barrier(plan.counters + arrivals);
    const CachedVectorAccess<Op> near{op};
    unsigned done = 0;
    // A phase has fewer tasks than the device has workers. Consecutive tasks are therefore assigned to
    // different thread blocks first, then to different warps of a block.
    const unsigned warps = blockDim.x / 32, groups = 32 / Op::Lanes::lanes;
    const EdgeId worker =
        EdgeId{threadIdx.x % 32 / Op::Lanes::lanes * warps + threadIdx.x / 32} * gridDim.x + blockIdx.x;
    const EdgeId workers = EdgeId{groups * warps} * gridDim.x;
    for (EdgeId p = 0; p < plan.phases; ++p) {
        for (EdgeId t = plan.phase_tasks[p] + worker; t < plan.phase_tasks[p + 1]; t += workers) {
            const EdgeId begin = plan.task_offsets[t], end = plan.task_offsets[t + 1];
            const auto touch = [&](EdgeId e) {
                if (e >= end) return;
                near.prefetch_row(plan.edges.row[e], sink[threadIdx.x / Op::Lanes::lanes][e % (2 * ahead)]);
                if (e % ahead == ahead - 1) earlier_copies_done();
            };
            wait_for_copies();
            for (EdgeId i = 0; i < ahead; ++i) touch(begin + i);
            // The inline assembly hides the origin of these pointers from the compiler, which would otherwise
            // recompute the addresses from constant memory at every edge.
            const VertexId *row_of = plan.edges.row + begin, *col_of = plan.edges.col + begin;
            const float* value_of = plan.edges.value + begin;
            asm volatile("" : "+l"(row_of), "+l"(col_of), "+l"(value_of));
            for (EdgeId e = begin; e < end;) {
                const VertexId v = *col_of;
                auto col = near.load_col(v);
                for (; e < end && *col_of == v; ++e, ++row_of, ++col_of, ++value_of) {
                    const VertexId u = *row_of;
                    auto row = near.load_row(u);
                    touch(e + ahead);  // prefetches another row while this one is loaded
                    op.apply(row, col, *value_of, EdgePosition{e, p, t});
                    near.store_row(u, row);
                    ++done;
                }
                near.store_col(v, col);
            }
        }
        barrier.sync();
    }
    wait_for_copies();
    add_of_block<Op>(plan.counters + updates, done, sink);
}

template <>
class DeviceWalk<TasksPlan> : public Counting {
public:
    DeviceWalk(const EdgeList&, const EdgesView& edges, const TasksPlan& plan)
        : view_{edges, plan.phases(), nullptr, nullptr, counters_.data()} {
        put(view_.phase_tasks, phase_tasks_, plan.phase_tasks);
        put(view_.task_offsets, task_offsets_, plan.task_offsets);
    }
    static EdgeId bytes(const EdgeList&, const TasksPlan& plan) { return plan.bytes(); }
    template <EdgeOperator Op>
    void sweep(const Op& op) {
        launch(task_kernel<Op>, tuning::tasks, 0, view_, op);
    }

private:
    Buffer<EdgeId> phase_tasks_, task_offsets_;
    TasksView view_;
};

}  // namespace lockstep::gpu
