// The edge-locked walk EL (Kaleem et al., IV-A). One worker per edge locks both endpoints of the edge,
// updates them, and releases the locks. If a worker cannot get both locks, it defers the edge to the next
// pass. Passes over the deferred edges are repeated until no edge is left. Here are the plan and the CPU
// code.
#pragma once

#include <omp.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "lockstep/executor/edge/locks.hpp"
#include "lockstep/executor/edge/plan_parts.hpp"
#include "lockstep/executor/edge/update.hpp"
#include "lockstep/executor/walk.hpp"
#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep {

struct EdgeLockedPlan {
    static constexpr Walk facts{.name = "edge_locked", .bound = "locks"};
    EdgeId edges = 0;  ///< number of edges that EL runs: the first ones of the plan
    /// on a GPU: maximum number of workers, and so of concurrent edges, in the first pass
    EdgeId workers = ~EdgeId{0};
    /// on a GPU: whether each worker of the first pass gets one contiguous part of the edges
    bool in_blocks = false;
    /// Maximum number of attempts to lock an edge in one pass, where a worker does not wait for a lock. 0
    /// selects the fastest setting of the device, with which workers of a GPU may also wait for a lock.
    int attempts = 0;

    /// The vertex with the most edges. If its number `edges` is not 0, the sweep counts the attempts to lock
    /// them.
    struct Hub {
        bool is_row = false;
        VertexId vertex = 0;
        EdgeId edges = 0;
    } hub{};

    static EdgeLockedPlan make(const PlanParts& parts);
    static EdgeId bytes() { return 0; }
    template <class Model>
    static void terms(Model& m) {
        m.add("chain", "the hub's " + m.count(m.cols_degree) + " edges, updated under locks",
              m.cols_degree * m.cost("locked.chain"));
        m.add("row chain", m.count(m.rows_degree) + " edges of one row",
              m.rows_degree * m.cost("locked.row_chain"));
        m.add("edges", m.edges_text(), m.edges * m.from_memory("locked.edge.near", "locked.edge.far"));
        const double meeting = m.contention(m.graph.rows) + m.contention(m.graph.cols);
        m.add("contention", m.chance(meeting) + " that two edges share a vertex",
              m.edges * m.waiting(meeting / 2));
    }
};

/// Returns the plan of EL, with settings of the first GPU pass that suit the graph. If `given`, EL runs the
/// first `count` edges of the list in their order; otherwise another walk will pass it edges of the list in
/// any order. O(edges + vertices)
EdgeLockedPlan plan_edge_locked(const EdgeList& edges, EdgeId count, bool given);
inline EdgeLockedPlan EdgeLockedPlan::make(const PlanParts& parts) {
    return plan_edge_locked(parts.edges, parts.edges.edges(), true);
}

namespace cpu {

/// Runs the edges of `worklist` in passes until each has been updated. An edge whose endpoints cannot both be
/// locked is deferred to the next pass.
template <EdgeOperator Op>
SweepCounts sweep_locked(const EdgeList& edges, const EdgeLockedPlan& plan, const Op& op, Locks& locks,
                         std::vector<EdgeId> worklist, int threads) {
    const auto lock = [&](VertexId u, VertexId v) {
        for (int attempt = 0; attempt < std::max(plan.attempts, 1); ++attempt) {
            if (locks.try_both(u, v)) return true;
        }
        return false;
    };
    const auto of_hub = [&](EdgeId e) {
        return (plan.hub.is_row ? edges.row[e] : edges.col[e]) == plan.hub.vertex;
    };
    SweepCounts counts{0, 0, plan.hub.edges};
    EdgeId updates = 0;
    while (!worklist.empty()) {
        if (plan.hub.edges)
            counts.hub_tries += static_cast<EdgeId>(std::count_if(worklist.begin(), worklist.end(), of_hub));
        std::vector<std::vector<EdgeId>> deferred(static_cast<std::size_t>(threads));
        ParallelErrors errors;
#pragma omp parallel num_threads(threads) reduction(+ : updates)
        {
            auto& mine = deferred[static_cast<std::size_t>(omp_get_thread_num())];
            const auto defer = [&](EdgeId e) { errors.run([&] { mine.push_back(e); }); };
#pragma omp for schedule(dynamic, 1024)
            for (std::size_t i = 0; i < worklist.size(); ++i) {
                const EdgeId e = worklist[i];
                const VertexId u = edges.row[e], v = edges.col[e];
                if (!lock(u, v)) {
                    defer(e);
                } else {
                    update_edge(edges, op, e, EdgePosition{e, counts.passes, e});
                    locks.release_both(u, v);
                    ++updates;
                }
            }
        }
        errors.rethrow();
        worklist.clear();
        for (const auto& list : deferred) worklist.insert(worklist.end(), list.begin(), list.end());
        ++counts.passes;
    }
    counts.updates = updates;
    return counts;
}

template <EdgeOperator Op>
SweepCounts sweep(const EdgeList& edges, const EdgeLockedPlan& plan, const Op& op, Locks& locks,
                  int threads) {
    std::vector<EdgeId> worklist(plan.edges);
    std::iota(worklist.begin(), worklist.end(), EdgeId{0});
    return sweep_locked(edges, plan, op, locks, std::move(worklist), threads);
}

}  // namespace cpu

}  // namespace lockstep
