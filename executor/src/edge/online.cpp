// Plans of the walks that use locks or are unsynchronized: the order of their edges, and the number of edges
// in flight (concurrently processed edges).
#include <algorithm>
#include <numeric>
#include <span>

#include "lockstep/executor/edge/edge_locked.hpp"
#include "lockstep/executor/edge/node_locked.hpp"
#include "lockstep/executor/edge/racing.hpp"
#include "lockstep/schedules/grouping.hpp"

namespace lockstep {

namespace {

/// Statistics of conflicts at the endpoints of one kind, rows or columns.
struct ConflictStatistics {
    double chance;   ///< probability that two random edges share this endpoint: sum of (degree / edges)^2
    double largest;  ///< maximum degree
};
ConflictStatistics count_conflicts(std::span<const VertexId> ends, VertexId vertices) {
    ConflictStatistics found{0, 0};
    for (const EdgeId degree : key_counts(ends.size(), vertices, [&](EdgeId e) { return ends[e]; })) {
        const auto d = static_cast<double>(degree);
        found.chance += d * d, found.largest = std::max(found.largest, d);
    }
    found.chance /= static_cast<double>(ends.size()) * static_cast<double>(ends.size());
    return found;
}

EdgeId workers_that_meet(double others, double chance) {
    constexpr double fewest = 64;
    return static_cast<EdgeId>(std::max(fewest, others / chance));
}

}  // namespace

Array<EdgeId> NodeLockedPlan::sort_edges(const Graph& graph, const Schedule* schedule,
                                         std::span<const EdgeId> ids) {
    const std::vector<EdgeId> degree =
        key_counts(ids.size(), graph.cols, [&](EdgeId i) { return graph.col[ids[i]]; });
    // Columns with many edges come first; otherwise, one of them might begin last and take longer than all
    // others. Columns with similar numbers of edges keep their order.
    constexpr EdgeId similar = 64;
    const EdgeId most = degree.empty() ? 0 : *std::max_element(degree.begin(), degree.end()) / similar;
    const auto fewer = [&](VertexId column) { return most - degree[column] / similar; };
    Array<EdgeId> turns = identity_order(graph.cols);
    if (schedule && !schedule->col_order.empty())
        std::copy(schedule->col_order.begin(), schedule->col_order.end(), turns.begin());
    if (most > 0)
        group_stable(turns, most + 1, [&](EdgeId column) { return fewer(static_cast<VertexId>(column)); });
    std::vector<VertexId> rank(graph.cols);
#pragma omp parallel for schedule(static)
    for (EdgeId i = 0; i < turns.size(); ++i) rank[turns[i]] = static_cast<VertexId>(i);
    Array<EdgeId> order(ids.size());
    group_ids(
        ids.size(), graph.cols, [&](EdgeId i) { return rank[graph.col[ids[i]]]; },
        [&](EdgeId i) { return ids[i]; }, graph.edges(), order.data());
    return order;
}

NodeLockedPlan NodeLockedPlan::make(const PlanParts& parts) {
    const Array<VertexId>& col = parts.edges.col;
    const auto begins = [&](EdgeId e) { return e == 0 || col[e] != col[e - 1]; };
    const int shares = omp_get_max_threads();
    std::vector<EdgeId> before(static_cast<std::size_t>(shares) + 1);
    const auto each_begin = [&](auto f) {
#pragma omp parallel for schedule(static, 1)
        for (int s = 0; s < shares; ++s) {
            for (EdgeId e = share_begin(col.size(), s, shares); e < share_begin(col.size(), s + 1, shares);
                 ++e) {
                if (begins(e)) f(static_cast<std::size_t>(s), e);
            }
        }
    };
    each_begin([&](std::size_t s, EdgeId) { ++before[s + 1]; });
    std::partial_sum(before.begin(), before.end(), before.begin());
    NodeLockedPlan plan{std::vector<VertexId>(before.back()),
                        std::vector<EdgeId>(before.back() + 1, col.size())};
    each_begin([&](std::size_t s, EdgeId e) {
        plan.columns[before[s]] = col[e], plan.column_edges[before[s]++] = e;
    });
    return plan;
}

EdgeId racing_in_flight(double meeting, bool added) {
    constexpr double wanted_meetings = 0.4;
    return workers_that_meet(wanted_meetings, meeting) * (added ? racing_when_added : 1);
}

EdgeId racing_workers(const EdgeList& edges, bool columns_race) {
    if (edges.edges() == 0) return 1;
    return racing_in_flight(std::max(count_conflicts(edges.row, edges.rows).chance,
                                     columns_race ? count_conflicts(edges.col, edges.cols).chance : 0),
                            false);
}

/// Computes settings of the first pass of EL on a GPU. The number of edges in flight is such that each edge,
/// if edges are random, has an expected `wanted_meetings` conflicts with the others. With more edges in
/// flight, they would wait for each other; with fewer, the edges of a hub would take longer.
///
/// Normally, workers claim short runs of the order. In two cases, each worker instead gets one contiguous
/// part of the order:
/// - Consecutive edges share an endpoint more than `clustered` times as often as random edges. In contiguous
///   parts, the concurrent edges are far from each other in the order, and so have fewer conflicts.
/// - Even the vertex of maximum degree has, on average, less than one edge in flight with `max_workers`
///   workers. Then no worker is delayed, and there is nothing to balance.
EdgeLockedPlan plan_edge_locked(const EdgeList& edges, EdgeId count, bool given) {
    constexpr double wanted_meetings = 1.5, clustered = 2, max_workers = 1 << 16;
    EdgeLockedPlan plan{count};
    if (count == 0) return plan;
    const ConflictStatistics rows = count_conflicts({edges.row.data(), count}, edges.rows),
                             cols = count_conflicts({edges.col.data(), count}, edges.cols);
    const double chance = rows.chance + cols.chance;
    EdgeId neighbours = 0;
#pragma omp parallel for reduction(+ : neighbours)
    for (EdgeId e = 1; e < (given ? count : 1); ++e)
        neighbours += edges.row[e] == edges.row[e - 1] || edges.col[e] == edges.col[e - 1];
    plan.workers = workers_that_meet(wanted_meetings, chance);
    plan.in_blocks =
        static_cast<double>(neighbours) > clustered * chance * static_cast<double>(count) + 100 ||
        (given && std::max(rows.largest, cols.largest) * max_workers < static_cast<double>(count));
    return plan;
}

}  // namespace lockstep
