// An edge on a CPU; the ends of later ones are asked for before their turn.
#pragma once

#include "lockstep/executor/lanes.hpp"
#include "lockstep/executor/operator.hpp"
#include "lockstep/executor/plan.hpp"

namespace lockstep::cpu {

/// Of the edge that an operator wants when edge e of the plan runs. Inlined by order: a compiler may take a
/// function that only fetches for one without effect.
template <class Op>
LOCKSTEP_HD void fetch_ahead(const Plan& plan, const Op& op, EdgeId e) {
    if constexpr (requires { Op::fetch_ahead; }) {
        const EdgeId ahead = e + EdgeId{Op::fetch_ahead};
        if (ahead < plan.edges()) op.fetch_row(plan.row[ahead]), op.fetch_col(plan.col[ahead]);
    }
}

/// Loads both ends, applies the operator, stores both ends.
template <EdgeOperator Op>
inline void update_edge(const Plan& plan, const Op& op, EdgeId e, const Place& place) {
    fetch_ahead(plan, op, e);
    if constexpr (requires { op.run_edge(op.row_at(0), op.col_at(0), 0.0F); }) {
        return op.run_edge(op.row_at(plan.row[e]), op.col_at(plan.col[e]), plan.value[e]);
    }
    auto row = op.load_row(plan.row[e]);
    auto col = op.load_col(plan.col[e]);
    op.apply(row, col, plan.value[e], place);
    op.store_row(plan.row[e], row);
    op.store_col(plan.col[e], col);
}

/// Edges one by one.
template <EdgeOperator Op>
void run_task(const Plan& plan, const Op& op, EdgeId begin, EdgeId end, EdgeId phase, EdgeId task) {
    for (EdgeId e = begin; e < end; ++e) update_edge(plan, op, e, Place{e, phase, task});
}

}  // namespace lockstep::cpu
