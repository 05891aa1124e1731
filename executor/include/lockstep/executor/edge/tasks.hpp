// phase ⊃ task ⊃ edge: one worker a task, its edges in order. BlkDiag.
#pragma once

#include <omp.h>

#include <atomic>
#include <vector>

#include "lockstep/executor/edge/locks.hpp"
#include "lockstep/executor/edge/plan_parts.hpp"
#include "lockstep/executor/edge/update.hpp"
#include "lockstep/executor/walk.hpp"

namespace lockstep {

struct TasksPlan {
    static constexpr Walk facts{.name = "tasks", .form = forms::tasks, .bound = "workers"};
    std::vector<EdgeId> task_offsets;  ///< task -> edges
    std::vector<EdgeId> phase_tasks;   ///< phase -> tasks

    static TasksPlan make(const PlanParts& parts) {
        return {parts.offsets(Level::task), parts.level(Level::phase)};
    }
    EdgeId phases() const { return phase_tasks.size() - 1; }
    EdgeId bytes() const { return bytes_of(task_offsets, phase_tasks); }
    template <class Model>
    static void terms(Model& m) {
        m.add("rounds", m.count(m.schedule.rounds) + " barriers", m.schedule.rounds * m.cost("tasks.phase"));
        m.add("chain",
              m.count(m.schedule.chain) + " edges after one another on the fullest worker of each round",
              m.schedule.chain * m.cost("tasks.worker"));
        m.add("edges", m.edges_text(), m.edges * m.cost("tasks.edge"));
    }
};

namespace cpu {

/// The column stays in registers while a task's edges share it.
template <EdgeOperator Op>
SweepCounts sweep(const EdgeList& edges, const TasksPlan& plan, const Op& op, Locks&, int threads) {
    std::vector<std::atomic<EdgeId>> next(plan.phases());
    for (EdgeId p = 0; p < plan.phases(); ++p)
        next[p] = plan.phase_tasks[p];  // each phase's tasks are drawn one by one
    EdgeId updates = 0;
#pragma omp parallel num_threads(threads) reduction(+ : updates)
    for (EdgeId p = 0; p < plan.phases(); ++p) {
        for (EdgeId t; (t = next[p].fetch_add(1, std::memory_order_relaxed)) < plan.phase_tasks[p + 1];) {
            for (EdgeId e = plan.task_offsets[t]; e < plan.task_offsets[t + 1];) {
                const VertexId v = edges.col[e];
                auto col = op.load_col(v);
                for (; e < plan.task_offsets[t + 1] && edges.col[e] == v; ++e, ++updates) {
                    auto row = op.load_row(edges.row[e]);
                    op.apply(row, col, edges.value[e], Place{e, p, t});
                    op.store_row(edges.row[e], row);
                }
                op.store_col(v, col);
            }
        }
#pragma omp barrier
    }
    return {updates, 1};
}

}  // namespace cpu

}  // namespace lockstep
