// The unsynchronized walk (Hogwild): workers update the edges without locks and without a schedule, so
// updates of one vertex may overwrite each other. These data races are intended. Here are the plan and the
// CPU code.
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
        const double workers = m.in_flight(
            std::max(m.graph.conflict_probability(m.graph.rows), m.graph.conflict_probability(m.graph.cols)));
        m.add("flight", "at most " + m.count(workers) + " edges in flight",
              std::max(0.0, m.edges * (m.cost("racing.flight") / workers - edge)));
    }
};

/// With atomic adds no update is lost. The number of edges in flight may then be this many times larger
/// without a larger error.
inline constexpr EdgeId racing_when_added = 10;
/// Returns how many edges may be in flight (loaded but not yet stored): the number at which an edge has an
/// expected 0.4 conflicts with the others at one of its endpoints, and at least 64. With more edges in flight
/// so many updates are lost that the error grows (docs/research/experiments.md). `meeting` is the probability
/// that two random edges share that endpoint. If `added`, updates are atomic adds, and the number is
/// racing_when_added times larger.
EdgeId racing_in_flight(double meeting, bool added);
/// Returns racing_in_flight() without atomic adds for these edges. Conflicts at columns count only if
/// `columns_race`; otherwise only conflicts at rows do. O(edges + vertices)
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
