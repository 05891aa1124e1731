// The update of one edge on a CPU, with prefetches of the vectors that later edges need.
#pragma once

#include "lockstep/executor/edge/list.hpp"
#include "lockstep/executor/operator.hpp"

namespace lockstep::cpu {

/// Prefetches the vectors of the edge that follows edge e at a distance of Op::fetch_ahead, if the operator
/// has this constant. The function is always inlined, because a compiler may omit calls of a function that
/// only prefetches.
template <class Edges, class Op>
LOCKSTEP_HD void fetch_ahead(const Edges& edges, const Op& op, EdgeId e) {
    if constexpr (requires { Op::fetch_ahead; }) {
        const EdgeId ahead = e + EdgeId{Op::fetch_ahead};
        if (ahead < edges.edges()) op.fetch_row(edges.row[ahead]), op.fetch_col(edges.col[ahead]);
    }
}

/// Updates edge `e`: loads both endpoints, applies the operator, and stores both endpoints.
template <EdgeOperator Op>
inline void update_edge(const EdgeList& edges, const Op& op, EdgeId e, const EdgePosition& place) {
    fetch_ahead(edges, op, e);
    if constexpr (requires { op.run_edge(op.row_at(0), op.col_at(0), 0.0F); }) {
        return op.run_edge(op.row_at(edges.row[e]), op.col_at(edges.col[e]), edges.value[e]);
    }
    auto row = op.load_row(edges.row[e]);
    auto col = op.load_col(edges.col[e]);
    op.apply(row, col, edges.value[e], place);
    op.store_row(edges.row[e], row);
    op.store_col(edges.col[e], col);
}

/// Updates the edges [first, last) in order. `task` is the task that contains all of them. If it is
/// EdgePosition::unknown, each edge is a task of its own, with the edge's index.
template <EdgeOperator Op>
inline void update_edges(const EdgeList& edges, const Op& op, EdgeId first, EdgeId last, EdgeId round,
                         EdgeId task = EdgePosition::unknown) {
    if constexpr (requires { op.run_range(first, last); }) {
        op.run_range(first, last);
    } else {
        for (EdgeId e = first; e < last; ++e)
            update_edge(edges, op, e, EdgePosition{e, round, task == EdgePosition::unknown ? e : task});
    }
}

}  // namespace lockstep::cpu
