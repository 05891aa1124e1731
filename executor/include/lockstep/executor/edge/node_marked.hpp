// NL exactly as in the paper (Kaleem et al., IV-B): items (columns) are processed in blocks of T, one item
// per worker. A worker locks only users (rows), tries each lock once per pass, and marks the edges that are
// done. Passes over all edges of a block are repeated until all are marked.
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

/// The plan of NL with marks. The edges of the list are sorted by column. For one set of vertices, an item
/// may be the user of another item. Its vector is then loaded and stored for each edge, and both endpoints
/// are locked in increasing order, so that one of several conflicting workers makes progress.
struct NodeMarkedPlan {
    static constexpr Walk facts{.name = "node_marked", .bound = "locks"};
    std::vector<VertexId> columns;     ///< columns that have edges, in the order of their blocks
    std::vector<EdgeId> column_edges;  ///< offset of each of `columns` in the edges

    /// Returns the edges `ids` sorted by column. The edges of one column keep their order; the columns have
    /// the order of the schedule, or of the graph if the schedule has none. O(edges + columns)
    static Array<EdgeId> sorted(const Graph& graph, const Schedule* schedule, std::span<const EdgeId> ids);
    /// Builds the plan from edges in the order of sorted().
    static NodeMarkedPlan make(const PlanParts& parts);
    EdgeId bytes() const { return bytes_of(columns, column_edges); }
};

namespace cpu {

/// Number of items per thread in a block. With one item per thread, most of the time would be spent in
/// barriers.
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
