// Racing (Hogwild): a worker an edge, every edge once, no synchronization. Its data races are its definition.
#pragma once

#include <omp.h>

#include "lockstep/executor/edge/locks.hpp"
#include "lockstep/executor/edge/plan_parts.hpp"
#include "lockstep/executor/edge/update.hpp"
#include "lockstep/executor/walk.hpp"

namespace lockstep {

struct RacingPlan {
    static constexpr Walk facts{.name = "racing", .bound = "memory"};
    static constexpr bool races = true;
    EdgeId workers = ~EdgeId{0};  ///< on a GPU: most edges in flight

    static RacingPlan make(const PlanParts& parts);
    static EdgeId bytes() { return 0; }
    template <class Model>
    static void terms(Model& m) {
        const double edge = m.from_memory("racing.edge.near", "racing.edge.far");
        m.add("edges", m.edges_text(), m.edges * edge);
        if (!m.gpu) return;
        const double workers =
            m.in_flight(std::max(m.graph.meeting(m.graph.rows), m.graph.meeting(m.graph.cols)));
        m.add("flight", "no more than " + m.count(workers) + " edges in flight",
              std::max(0.0, m.edges * (m.cost("racing.flight") / workers - edge)));
    }
};

/// So many times the edges in flight the error allows where updates are added, so that none is lost.
inline constexpr EdgeId racing_when_added = 10;
/// Edges in flight at which a racing edge meets 0.4 others at one of its ends, in expectation, where two
/// random edges meet there with the given chance; `added`: as racing_when_added. At least 64. More lose so
/// many updates that the error grows (docs/research/experiments.md).
EdgeId racing_in_flight(double meeting, bool added);
/// racing_in_flight of these edges, not added. O(edges + vertices)
EdgeId racing_workers(const EdgeList& edges, bool columns_race);
inline RacingPlan RacingPlan::make(const PlanParts& parts) { return {racing_workers(parts.edges, true)}; }

namespace cpu {

template <EdgeOperator Op>
SweepCounts sweep(const EdgeList& edges, const RacingPlan&, const Op& op, Locks&, int threads) {
    EdgeId updates = 0;
#pragma omp parallel num_threads(threads) reduction(+ : updates)
    {
        const auto me = static_cast<EdgeId>(omp_get_thread_num()),
                   shares = static_cast<EdgeId>(omp_get_num_threads());
        const EdgeId first = edges.edges() * me / shares, last = edges.edges() * (me + 1) / shares;
        update_edges(edges, op, first, last, 0);
        updates += last - first;
    }
    return {updates, 1};
}

}  // namespace cpu

}  // namespace lockstep
