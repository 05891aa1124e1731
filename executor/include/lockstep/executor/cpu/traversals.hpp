// The traversals on the CPU: one OpenMP team, a barrier after each superstep.
//
// Offline traversals give the same bits for any number of threads, because the work of a phase is
// disjoint; they are the oracle of the CUDA traversals.
#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "lockstep/executor/cpu/barrier.hpp"
#include "lockstep/executor/cpu/edges.hpp"
#include "lockstep/executor/cpu/tiled.hpp"
#include "lockstep/executor/operator.hpp"
#include "lockstep/executor/plan.hpp"
#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep::cpu {

/// One try-lock a row and a column; a byte each.
class Locks {
public:
    Locks(VertexId rows, VertexId cols)
        : rows_(new std::atomic<bool>[rows]()), cols_(new std::atomic<bool>[cols]()) {}
    bool try_row(VertexId u) { return !rows_[u].exchange(true, std::memory_order_acquire); }
    bool try_col(VertexId v) { return !cols_[v].exchange(true, std::memory_order_acquire); }
    void release_row(VertexId u) { rows_[u].store(false, std::memory_order_release); }
    void release_col(VertexId v) { cols_[v].store(false, std::memory_order_release); }

private:
    std::unique_ptr<std::atomic<bool>[]> rows_, cols_;
};

/// phase ⊃ edge. AGM-E and Diag; AGM-N and SGM too, whose residence in fast memory is the cache's
/// business on a CPU.
template <EdgeOperator Op>
void run_phases(const Plan& plan, const Op& op, int threads) {
    constexpr EdgeId worth_sharing = 512;  // edges; a barrier of two threads takes about 0.3 µs
    const std::vector<PhaseRun> runs = phase_runs(plan, worth_sharing);
    Barrier barrier;
#pragma omp parallel num_threads(threads)
    {
        const int team = omp_get_num_threads();  // may be fewer than were asked for
        const auto me = static_cast<EdgeId>(omp_get_thread_num()), shares = static_cast<EdgeId>(team);
        for (const PhaseRun& run : runs) {
            if (run.shared) {
                const EdgeId begin = plan.phase_offsets[run.first],
                             size = plan.phase_offsets[run.last] - begin;
                for (EdgeId e = begin + size * me / shares; e < begin + size * (me + 1) / shares; ++e)
                    update_edge(plan, op, e, Place{e, run.first, e});
            } else if (me == 0) {
                for (EdgeId p = run.first; p < run.last; ++p) {
                    for (EdgeId e = plan.phase_offsets[p]; e < plan.phase_offsets[p + 1]; ++e)
                        update_edge(plan, op, e, Place{e, p, e});
                }
            }
            barrier.arrive_and_wait(team);
        }
    }
}

/// phase ⊃ task ⊃ edge: the column stays in registers while a task's edges share it.
template <EdgeOperator Op>
void run_tasks(const Plan& plan, const Op& op, int threads) {
    std::vector<std::atomic<EdgeId>> next(plan.phases());
    for (EdgeId p = 0; p < plan.phases(); ++p)
        next[p] = plan.phase_tasks[p];  // each phase's tasks are drawn one by one
    Barrier barrier;
#pragma omp parallel num_threads(threads)
    for (EdgeId p = 0; p < plan.phases(); ++p) {
        for (EdgeId t; (t = next[p].fetch_add(1, std::memory_order_relaxed)) < plan.phase_tasks[p + 1];) {
            for (EdgeId e = plan.task_offsets[t]; e < plan.task_offsets[t + 1];) {
                const VertexId v = plan.col[e];
                auto col = op.load_col(v);
                for (; e < plan.task_offsets[t + 1] && plan.col[e] == v; ++e) {
                    auto row = op.load_row(plan.row[e]);
                    op.apply(row, col, plan.value[e], Place{e, p, t});
                    op.store_row(plan.row[e], row);
                }
                op.store_col(v, col);
            }
        }
        barrier.arrive_and_wait(omp_get_num_threads());
    }
}

/// EL (Kaleem et al., IV-A): passes over `worklist` until it is empty; an edge whose ends cannot both
/// be locked is deferred to the next pass.
template <EdgeOperator Op>
SweepCounts run_edge_locked(const Plan& plan, const Op& op, Locks& locks, std::vector<EdgeId> worklist,
                            int threads, std::uint64_t passes_before = 0) {
    SweepCounts counts{0, passes_before};
    EdgeId updates = 0;
    while (!worklist.empty()) {
        std::vector<std::vector<EdgeId>> deferred(static_cast<std::size_t>(threads));
        ParallelErrors errors;
#pragma omp parallel num_threads(threads) reduction(+ : updates)
        {
            auto& mine = deferred[static_cast<std::size_t>(omp_get_thread_num())];
            const auto defer = [&](EdgeId e) { errors.run([&] { mine.push_back(e); }); };
#pragma omp for schedule(dynamic, 1024)
            for (std::size_t i = 0; i < worklist.size(); ++i) {
                const EdgeId e = worklist[i];
                const VertexId u = plan.row[e], v = plan.col[e];
                if (!locks.try_row(u)) {
                    defer(e);
                } else if (!locks.try_col(v)) {
                    locks.release_row(u);
                    defer(e);
                } else {
                    update_edge(plan, op, e, Place{e, counts.passes, e});
                    locks.release_col(v);
                    locks.release_row(u);
                    ++updates;
                }
            }
        }
        errors.rethrow();
        worklist.clear();
        for (const auto& list : deferred) worklist.insert(worklist.end(), list.begin(), list.end());
        ++counts.passes;
    }
    counts.updates = updates;
    return counts;
}

/// phase ⊃ tile ⊃ step ⊃ edge: threads draw the tiles of a phase, whose vertices the cache then holds.
template <EdgeOperator Op>
void run_local_tiles(const Plan& plan, const Op& op, int threads) {
    const auto first_edge = [&](EdgeId tile) { return plan.step_tasks[plan.tile_steps[tile]]; };
#pragma omp parallel num_threads(threads)
    for (EdgeId p = 0; p < plan.phases(); ++p) {
#pragma omp for schedule(dynamic, 4)
        for (EdgeId tile = plan.phase_tiles[p]; tile < plan.phase_tiles[p + 1]; ++tile)
            run_task(plan, op, first_edge(tile), first_edge(tile + 1), p, tile);
    }
}

/// NL (IV-B): a worker takes an item, holds its vector, and locks only users; passes over what is left.
/// With edge_locked_rest (the hybrid NL→EL of V-B) what the first pass leaves goes to EL.
template <EdgeOperator Op>
SweepCounts run_node_locked(const Plan& plan, const Op& op, Locks& locks, int threads) {
    SweepCounts counts{0, 0};
    EdgeId updates = 0;
    const EdgeId items = plan.residents.size();
    std::vector<std::vector<EdgeId>> todo(items);  // deferred edges of an item; its whole list in pass 0
    std::vector<EdgeId> open;                      // items with deferred edges
    ParallelErrors errors;
    for (bool more = true; more; ++counts.passes) {
        const bool first_pass = counts.passes == 0;
        const EdgeId tasks = first_pass ? items : open.size();
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads) reduction(+ : updates)
        for (EdgeId n = 0; n < tasks; ++n) {
            const EdgeId item = first_pass ? n : open[n];
            const EdgeId begin = plan.item_edges[item], end = plan.item_edges[item + 1];
            if (begin == end) continue;
            std::vector<EdgeId> list = std::move(todo[item]);
            todo[item].clear();
            auto col = op.load_col(plan.residents[item]);
            const auto visit = [&](EdgeId e) {
                const VertexId u = plan.row[e];
                if (!locks.try_row(u)) {
                    errors.run([&] { todo[item].push_back(e); });
                    return;
                }
                auto row = op.load_row(u);
                op.apply(row, col, plan.value[e], Place{e, counts.passes, item});
                op.store_row(u, row);
                locks.release_row(u);
                ++updates;
            };
            if (first_pass) {
                for (EdgeId e = begin; e < end; ++e) visit(e);
            } else {
                for (const EdgeId e : list) visit(e);
            }
            op.store_col(plan.residents[item], col);
        }
        errors.rethrow();
        open.clear();
        for (EdgeId i = 0; i < items; ++i) {
            if (!todo[i].empty()) open.push_back(i);
        }
        more = !open.empty() && !plan.edge_locked_rest;
    }
    if (!open.empty()) {
        std::vector<EdgeId> rest;
        for (const EdgeId i : open) rest.insert(rest.end(), todo[i].begin(), todo[i].end());
        const SweepCounts el = run_edge_locked(plan, op, locks, std::move(rest), threads, counts.passes);
        return {updates + el.updates, el.passes};
    }
    counts.updates = updates;
    return counts;
}

/// Hogwild: every edge once, no synchronization. Its data races are its definition.
template <EdgeOperator Op>
void run_racing(const Plan& plan, const Op& op, int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (EdgeId e = 0; e < plan.edges(); ++e) update_edge(plan, op, e, Place{e, 0, e});
}

/// The same, a thread an item block: only rows are raced for.
template <EdgeOperator Op>
void run_racing_tiles(const Plan& plan, const Op& op, int threads) {
    const EdgeId tiles = plan.tile_edges.size() - 1;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (EdgeId tile = 0; tile < tiles; ++tile) {
        for (EdgeId e = plan.tile_edges[tile]; e < plan.tile_edges[tile + 1]; ++e)
            update_edge(plan, op, e, Place{e, 0, e});
    }
}

/// One sweep of `plan`.
template <EdgeOperator Op>
SweepCounts execute(const Plan& plan, const Op& op, Locks& locks, int threads) {
    SweepCounts counts{plan.edges() - plan.locked, 1};
    SweepCounts locked{0, 0};
    if (plan.locked) {
        std::vector<EdgeId> worklist(plan.locked);
        for (EdgeId e = 0; e < plan.locked; ++e) worklist[e] = e;
        locked = run_edge_locked(plan, op, locks, std::move(worklist), threads);
    }
    switch (plan.traversal) {
        case Traversal::edge_locked:
            return locked;
        case Traversal::phases:
        case Traversal::resident:
            run_phases(plan, op, threads);
            break;
        case Traversal::tasks:
            run_tasks(plan, op, threads);
            break;
        case Traversal::tiled:
            run_tiles(plan, op, threads);
            break;
        case Traversal::local:
            run_local_tiles(plan, op, threads);
            break;
        case Traversal::node_locked:
            counts = run_node_locked(plan, op, locks, threads);
            break;
        case Traversal::racing:
            run_racing(plan, op, threads);
            break;
        case Traversal::racing_tiles:
            run_racing_tiles(plan, op, threads);
            break;
        default:  // no plan has it
            break;
    }
    return {counts.updates + locked.updates, counts.passes + locked.passes};
}

}  // namespace lockstep::cpu
