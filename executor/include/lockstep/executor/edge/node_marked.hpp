// NL as the paper has it (Kaleem et al., IV-B): items in blocks of T, one a worker, which locks only users, by one
// attempt an edge, and marks what is done; passes over all edges of the block until all are marked.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "lockstep/executor/edge/locks.hpp"
#include "lockstep/executor/edge/plan_parts.hpp"
#include "lockstep/executor/edge/update.hpp"
#include "lockstep/executor/walk.hpp"

namespace lockstep {

/// The edges of the list are sorted by column. Of one set an item may be another's user: it is not kept from edge to
/// edge then, and both ends are locked, the smaller first, so that one of those who meet gets on.
struct NodeMarkedPlan {
    static constexpr Walk facts{.name = "node_marked", .bound = "locks"};
    std::vector<VertexId> columns;     ///< in their order, those that have edges
    std::vector<EdgeId> column_edges;  ///< i-th of `columns` -> edges

    /// The edges `ids` by column, those of a column in their order; columns as the graph or the schedule has them.
    /// O(edges + columns)
    static Array<EdgeId> sorted(const Graph& graph, const Schedule* schedule, std::span<const EdgeId> ids);
    /// Of edges that are sorted so.
    static NodeMarkedPlan make(const PlanParts& parts);
    EdgeId bytes() const { return bytes_of(columns, column_edges); }
};

namespace cpu {

/// Items of a block, for each thread: with one, barriers would be most of what it does.
inline constexpr EdgeId items_a_thread = 64;

template <EdgeOperator Op>
SweepCounts sweep(const EdgeList& edges, const NodeMarkedPlan& plan, const Op& op, Locks& locks,
                  int threads) {
    const bool one_set = edges.ends == Ends::vertices;
    const EdgeId columns = plan.columns.size(), block = items_a_thread * static_cast<EdgeId>(threads);
    std::vector<std::uint8_t> marked(edges.edges());
    SweepCounts counts{0, 0};
    EdgeId updates = 0;
    for (EdgeId first = 0; first < columns; first += block) {
        const EdgeId last = std::min(columns, first + block);
        for (EdgeId left = 1; left > 0; ++counts.passes) {
            left = 0;
#pragma omp parallel for schedule(dynamic) num_threads(threads) reduction(+ : updates, left)
            for (EdgeId column = first; column < last; ++column) {
                const VertexId v = plan.columns[column];
                std::optional<typename Op::Col> col;
                if (!one_set) col = op.load_col(v);
                for (EdgeId e = plan.column_edges[column]; e < plan.column_edges[column + 1]; ++e) {
                    if (marked[e]) continue;
                    const VertexId u = edges.row[e];
                    if (!(one_set ? locks.try_both(std::min(u, v), std::max(u, v)) : locks.try_row(u, v))) {
                        ++left;
                        continue;
                    }
                    auto row = op.load_row(u);
                    if (one_set) col = op.load_col(v);
                    op.apply(row, *col, edges.value[e], Place{e, counts.passes, column});
                    op.store_row(u, row);
                    if (one_set) {
                        op.store_col(v, *col);
                        locks.release_both(std::min(u, v), std::max(u, v));
                    } else {
                        locks.release_row(u, v);
                    }
                    marked[e] = 1;
                    ++updates;
                }
                if (!one_set) op.store_col(v, *col);
            }
        }
    }
    counts.updates = updates;
    return counts;
}

}  // namespace cpu

}  // namespace lockstep
