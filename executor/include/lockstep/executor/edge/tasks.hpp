// phase ⊃ task ⊃ edge: one worker a task, its edges in order. BlkDiag.
#pragma once

#include <omp.h>

#include <array>
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

/// The edges [first, last) of a task, which share a column: it stays in registers, the rows in the cache.
template <class Edges, EdgeOperator Op>
void run_column(const Edges& edges, const Op& op, EdgeId first, EdgeId last, EdgeId phase, EdgeId task) {
    const VertexId v = edges.col[first];
    auto col = op.load_col(v);
    if constexpr (requires(decltype(op.row_at(0))(*row)(std::size_t), float (*rating)(std::size_t)) {
                      op.template run_star<1>(static_cast<float*>(nullptr), op.share_of(col), 0, row, rating);
                  }) {
        const auto rating = [&](std::size_t i) { return edges.value[first + i]; };
        const auto row = [&](std::size_t i) {
            fetch_ahead(edges, op, first + i);
            return op.row_at(edges.row[first + i]);
        };
        std::array<float, sizeof(col) / sizeof(float)> centre{};  // in single precision, whatever is stored
        op.put(centre.data(), col);
        op.template run_star<1>(centre.data(), op.share_of(col), last - first, row, rating);
        col = op.take(centre.data(), op.share_of(col));
    } else {
        for (EdgeId e = first; e < last; ++e) {
            auto w = op.load_row(edges.row[e]);
            op.apply(w, col, edges.value[e], Place{e, phase, task});
            op.store_row(edges.row[e], w);
        }
    }
    op.store_col(v, col);
}

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
                const EdgeId first = e;
                while (e < plan.task_offsets[t + 1] && edges.col[e] == edges.col[first]) ++e;
                run_column(edges, op, first, e, p, t);
                updates += e - first;
            }
        }
#pragma omp barrier
    }
    return {updates, 1};
}

}  // namespace cpu

}  // namespace lockstep
