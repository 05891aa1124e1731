// The node-locked walk NL (Kaleem et al., IV-B). A worker takes a column, loads its vector once, and
// processes the edges of the column. It locks only the row of each edge. If the row is locked by another
// worker, the edge is deferred to the next pass. Here are the plan and the CPU code.
#pragma once

#include <omp.h>

#include <numeric>
#include <vector>

#include "lockstep/executor/edge/locks.hpp"
#include "lockstep/executor/edge/plan_parts.hpp"
#include "lockstep/executor/edge/update.hpp"
#include "lockstep/executor/walk.hpp"
#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep {

/// The plan of NL. Its edges (PlanParts::edges) are sorted by column.
struct NodeLockedPlan {
    static constexpr Walk facts{.name = "node_locked", .bound = "locks"};
    std::vector<VertexId> columns;     ///< columns that have edges, in the order in which workers claim them
    std::vector<EdgeId> column_edges;  ///< offset of the edges of each entry of `columns` in the plan's edges

    /// Returns the edges `ids`, sorted by column. Columns with more edges come first (by degree / 64), so
    /// that no long column starts last. Columns with equal quotients have the order of the schedule. The
    /// edges of a column keep their order. O(edges + columns)
    static Array<EdgeId> sort_edges(const Graph& graph, const Schedule* schedule,
                                    std::span<const EdgeId> ids);
    /// Builds the plan. Its edges must have the order that sort_edges() returned.
    static NodeLockedPlan make(const PlanParts& parts);
    EdgeId bytes() const { return bytes_of(columns, column_edges); }
    template <class Model>
    static void terms(Model& m) {
        m.add("chain", "the largest item's " + m.count(m.cols_degree) + " edges, updated by one worker",
              m.cols_degree * m.cost("items.chain"));
        m.add("row chain", m.count(m.rows_degree) + " edges of one row under its lock",
              m.rows_degree * m.cost("items.row_chain"));
        m.add("edges", m.edges_text(), m.edges * m.from_memory("items.edge.near", "items.edge.far"));
        m.add("items", "vectors of " + m.count(m.graph.cols.vertices) + " items",
              m.graph.cols.vertices * m.cost("items.edge.near"));
        const double meeting = m.contention(m.graph.rows);
        m.add("contention", m.chance(meeting) + " that two edges share a row", m.edges * m.waiting(meeting));
    }
};

namespace cpu {

/// Runs up to `max_passes` passes over the columns. The first pass visits all edges, each later pass the
/// edges that the previous one deferred. Appends the edges that are still deferred after the last pass to
/// `left`.
template <EdgeOperator Op>
SweepCounts sweep_columns(const EdgeList& edges, const NodeLockedPlan& plan, const Op& op, Locks& locks,
                          int threads, std::uint64_t max_passes, std::vector<EdgeId>& left) {
    SweepCounts counts{0, 0};
    EdgeId updates = 0;
    const EdgeId columns = plan.columns.size();
    std::vector<std::vector<EdgeId>> todo(columns);  // deferred edges of each column
    std::vector<EdgeId> open;  // indices in plan.columns of the columns with deferred edges
    ParallelErrors errors;
    for (bool more = true; more; ++counts.passes) {
        const bool first_pass = counts.passes == 0;
        const EdgeId tasks = first_pass ? columns : open.size();
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads) reduction(+ : updates)
        for (EdgeId n = 0; n < tasks; ++n) {
            const EdgeId column = first_pass ? n : open[n];
            const EdgeId begin = plan.column_edges[column], end = plan.column_edges[column + 1];
            if (begin == end) continue;
            const VertexId v = plan.columns[column];
            if (!locks.try_column(v)) {
                errors.run([&] {
                    if (!first_pass) return;
                    todo[column].resize(end - begin);
                    std::iota(todo[column].begin(), todo[column].end(), begin);
                });
                continue;
            }
            const std::vector<EdgeId> list = std::exchange(todo[column], {});
            auto col = op.load_col(v);
            const auto visit = [&](EdgeId e) {
                const VertexId u = edges.row[e];
                if (!locks.try_row(u, v)) {
                    errors.run([&] { todo[column].push_back(e); });
                    return;
                }
                auto row = op.load_row(u);
                op.apply(row, col, edges.value[e], EdgePosition{e, counts.passes, column});
                op.store_row(u, row);
                locks.release_row(u, v);
                ++updates;
            };
            if (first_pass) {
                for (EdgeId e = begin; e < end; ++e) visit(e);
            } else {
                for (const EdgeId e : list) visit(e);
            }
            op.store_col(v, col);
            locks.release_held(v);
        }
        errors.rethrow();
        open.clear();
        for (EdgeId i = 0; i < columns; ++i) {
            if (!todo[i].empty()) open.push_back(i);
        }
        more = !open.empty() && counts.passes + 1 < max_passes;
    }
    for (const EdgeId i : open) left.insert(left.end(), todo[i].begin(), todo[i].end());
    counts.updates = updates;
    return counts;
}

template <EdgeOperator Op>
SweepCounts sweep(const EdgeList& edges, const NodeLockedPlan& plan, const Op& op, Locks& locks,
                  int threads) {
    std::vector<EdgeId> none;
    return sweep_columns(edges, plan, op, locks, threads, ~std::uint64_t{0}, none);
}

}  // namespace cpu

}  // namespace lockstep
