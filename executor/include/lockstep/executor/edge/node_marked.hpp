// NL exactly as in the paper (Kaleem et al., IV-B): items (columns) are processed in blocks of T items, one
// per worker. A worker locks only the users (rows) of its edges, tries each lock once per pass, and marks the
// edges that it has updated. It repeats passes over all edges of the block until all of them are marked.
// node_locked.hpp is our faster variant, with lists of deferred edges instead of marks.
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

/// The plan of NL with marks. If rows and columns are vertices of one set, an item may be the user of another
/// item. Its vector is then loaded and stored for each edge, and both endpoints are locked, the smaller index
/// first, so that one of several conflicting workers makes progress.
struct NodeMarkedPlan {
    static constexpr Walk facts{.name = "node_marked", .bound = "locks"};
    /// columns that have edges, in the order in which they are divided into blocks
    std::vector<VertexId> columns;
    std::vector<EdgeId> column_edges;  ///< offset of the edges of each entry of `columns` in the plan's edges

    /// Returns the edges `ids`, sorted by column. The columns have the order of the schedule, or of their
    /// indices if the schedule has no order of columns. The edges of a column keep their order. O(edges +
    /// columns)
    static Array<EdgeId> sort_edges(const Graph& graph, const Schedule* schedule,
                                    std::span<const EdgeId> ids);
    /// Builds the plan. Its edges must have the order that sort_edges() returned.
    static NodeMarkedPlan make(const PlanParts& parts);
    EdgeId bytes() const { return bytes_of(columns, column_edges); }
};

namespace cpu {

/// Number of items per thread in a block of items. With one item per thread, most of the time would be spent
/// at the barriers between passes.
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
                    op.apply(row, *col, edges.value[e], EdgePosition{e, counts.passes, column});
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
