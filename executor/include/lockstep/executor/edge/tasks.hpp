// The walk for schedules of the form phase ⊃ task ⊃ edge, such as BlkDiag: one worker runs the edges of a
// task in order. While consecutive edges share their column, the column's vector stays in registers. Here are
// the plan and the CPU code.
#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "lockstep/executor/edge/locks.hpp"
#include "lockstep/executor/edge/plan_parts.hpp"
#include "lockstep/executor/edge/star/cpu.hpp"
#include "lockstep/executor/walk.hpp"

namespace lockstep {

struct TasksPlan {
    static constexpr Walk facts{.name = "tasks", .form = forms::tasks, .bound = "workers"};
    std::vector<EdgeId> task_offsets;  ///< index of the first edge of each task
    std::vector<EdgeId> phase_tasks;   ///< index of the first task of each phase

    static TasksPlan make(const PlanParts& parts) {
        return {parts.offsets(Level::task), parts.level(Level::phase)};
    }
    EdgeId phases() const { return phase_tasks.size() - 1; }
    EdgeId bytes() const { return bytes_of(task_offsets, phase_tasks); }
    template <class Model>
    static void terms(Model& m) {
        m.add("rounds", m.count(m.schedule.rounds) + " barriers", m.schedule.rounds * m.cost("tasks.phase"));
        m.add("chain",
              m.count(m.schedule.chain) +
                  " edges one after another, by the worker with the most edges of each round",
              m.schedule.chain * m.cost("tasks.worker"));
        m.add("edges", m.edges_text(), m.edges * m.cost("tasks.edge"));
    }
};

namespace cpu {

/// Runs all tasks, phase after phase. Within a phase, each thread repeatedly claims `at_a_time` tasks from a
/// shared counter. run(phase, task) runs one task and returns its number of edges. Returns the sum of these
/// numbers.
template <class Run>
EdgeId process_tasks(const std::vector<EdgeId>& phase_tasks, EdgeId at_a_time, int threads, Run run) {
    const EdgeId phases = phase_tasks.size() - 1;
    std::vector<std::atomic<EdgeId>> next(phases);
    for (EdgeId p = 0; p < phases; ++p) next[p] = phase_tasks[p];
    EdgeId updates = 0;
#pragma omp parallel num_threads(threads) reduction(+ : updates)
    for (EdgeId p = 0; p < phases; ++p) {
        const EdgeId last = phase_tasks[p + 1];
        for (EdgeId t; (t = next[p].fetch_add(at_a_time, std::memory_order_relaxed)) < last;) {
            for (const EdgeId end = std::min(last, t + at_a_time); t < end; ++t) updates += run(p, t);
        }
#pragma omp barrier
    }
    return updates;
}

template <EdgeOperator Op>
SweepCounts sweep(const EdgeList& edges, const TasksPlan& plan, const Op& op, Locks&, int threads) {
    const EdgeView view(edges);
    const EdgeId updates = process_tasks(plan.phase_tasks, 1, threads, [&](EdgeId p, EdgeId t) {
        const EdgeId begin = plan.task_offsets[t], end = plan.task_offsets[t + 1];
        for (EdgeId e = begin; e < end;) {
            const EdgeId first = e;
            while (e < end && edges.col[e] == edges.col[first]) ++e;
            run_in_order(view, op, first, e, false, EdgePosition{first, p, t});
        }
        return end - begin;
    });
    return {updates, 1};
}

}  // namespace cpu

}  // namespace lockstep
