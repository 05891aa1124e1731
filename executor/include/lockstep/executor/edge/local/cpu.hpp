// The local walk on the CPU: threads claim the tiles of a phase. The vertices of a tile fit in the cache of a
// core.
#pragma once

#include "lockstep/executor/edge/local/plan.hpp"
#include "lockstep/executor/edge/locks.hpp"
#include "lockstep/executor/edge/update.hpp"

namespace lockstep::cpu {

template <EdgeOperator Op>
SweepCounts sweep(const EdgeList& edges, const LocalPlan& plan, const Op& op, Locks&, int threads) {
    EdgeId updates = 0;
#pragma omp parallel num_threads(threads) reduction(+ : updates)
    for (EdgeId p = 0; p < plan.phases(); ++p) {
#pragma omp for schedule(dynamic, 4)
        for (EdgeId tile = plan.phase_tiles[p]; tile < plan.phase_tiles[p + 1]; ++tile) {
            update_edges(edges, op, plan.first_edge(tile), plan.first_edge(tile + 1), p, tile);
            updates += plan.first_edge(tile + 1) - plan.first_edge(tile);
        }
    }
    return {updates, 1};
}

}  // namespace lockstep::cpu
