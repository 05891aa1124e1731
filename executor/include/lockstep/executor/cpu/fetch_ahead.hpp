// The ends of later edges are asked for before their turn.
#pragma once

#include "lockstep/executor/lanes.hpp"
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

}  // namespace lockstep::cpu
