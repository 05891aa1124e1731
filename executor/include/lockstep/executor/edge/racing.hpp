// The unsynchronized walk (Hogwild): one worker per edge runs each edge once, without locks. Its data races
// are intended.
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
    EdgeId workers = ~EdgeId{0};  ///< on a GPU: maximum number of edges in flight

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

/// With atomic adds no update is lost, so this many times more edges may be in flight at the same error.
inline constexpr EdgeId racing_when_added = 10;
/// Returns the number of edges in flight at which an edge conflicts with an expected 0.4 others at one of its
/// endpoints. `meeting` is the probability that two random edges share that endpoint. If `added`, the number
/// is racing_when_added times larger. It is at least 64. With more edges in flight so many updates are lost
/// that the error grows (docs/research/experiments.md).
EdgeId racing_in_flight(double meeting, bool added);
/// Returns racing_in_flight() of these edges without atomic adds. Conflicts at columns count only if
/// `columns_race`. O(edges + vertices)
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
