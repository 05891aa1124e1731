// Racing (Hogwild): a worker an edge, every edge once, no synchronization. Its data races are its definition.
#pragma once

#include <omp.h>

#include "lockstep/executor/edge/locks.hpp"
#include "lockstep/executor/edge/update.hpp"

namespace lockstep {

struct RacingPlan {
    static constexpr bool races = true;
    EdgeId workers = ~EdgeId{0};  ///< on a GPU: most edges in flight

    static EdgeId bytes() { return 0; }
};

/// Edges in flight at which a racing edge meets few others at one of its ends. O(edges + vertices)
EdgeId racing_workers(const EdgeList& edges, bool columns_race);

namespace cpu {

template <EdgeOperator Op>
SweepCounts sweep(const EdgeList& edges, const RacingPlan&, const Op& op, Locks&, int threads) {
    EdgeId updates = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : updates)
    for (EdgeId e = 0; e < edges.edges(); ++e) {
        update_edge(edges, op, e, Place{e, 0, e});
        ++updates;
    }
    return {updates, 1};
}

}  // namespace cpu

}  // namespace lockstep
