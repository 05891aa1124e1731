#include "lockstep/executor/neighbours.hpp"

#include <omp.h>

#include <algorithm>
#include <numeric>

#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep {

namespace {

std::vector<VertexId> inverse(const std::vector<VertexId>& order) {
    std::vector<VertexId> position(order.size());
    for (VertexId p = 0; p < order.size(); ++p) position[order[p]] = p;
    return position;
}

/// The graph by position: `vertex(p)` and `position(v)` are the identity in the given order.
class Relabelled {
public:
    Relabelled(const Graph& graph, const std::vector<VertexId>& order)
        : graph_(graph), order_(order), position_(inverse(order)) {}
    VertexId vertex(VertexId p) const { return order_.empty() ? p : order_[p]; }
    VertexId position(VertexId v) const { return position_.empty() ? v : position_[v]; }

    Offsets out_offsets() const {
        std::vector<EdgeId> offsets(std::size_t{graph_.rows} + 1, 0);
        for (VertexId p = 0; p < graph_.rows; ++p) {
            const VertexId v = vertex(p);
            offsets[p + 1] = offsets[p] + graph_.row_offsets[v + 1] - graph_.row_offsets[v];
        }
        return Offsets(offsets);
    }
    /// The targets of each position, ascending.
    Array<VertexId> targets(const Offsets& out) const {
        Array<VertexId> targets(graph_.edges());
#pragma omp parallel for schedule(dynamic, 1024)
        for (VertexId p = 0; p < graph_.rows; ++p) {
            const VertexId v = vertex(p);
            VertexId* const first = targets.data() + out[p];
            VertexId* last = first;
            for (EdgeId e = graph_.row_offsets[v]; e < graph_.row_offsets[v + 1]; ++e)
                *last++ = position(graph_.col[e]);
            if (!order_.empty()) std::sort(first, last);
        }
        return targets;
    }
    /// Arcs by target, sources ascending. A thread fills the lists of a range of targets.
    void by_target(Offsets& in, Array<VertexId>& sources) const {
        std::vector<EdgeId> offsets(std::size_t{graph_.rows} + 1, 0);
        for (const VertexId v : graph_.col) ++offsets[std::size_t{position(v)} + 1];
        std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
        in = Offsets(offsets);
        sources.resize(graph_.edges());
        ParallelErrors errors;
#pragma omp parallel
        {
            const auto me = static_cast<EdgeId>(omp_get_thread_num()),
                       team = static_cast<EdgeId>(omp_get_num_threads());
            const auto first_of = [&](EdgeId share) {
                const auto at =
                    std::lower_bound(offsets.begin(), offsets.end() - 1, graph_.edges() / team * share);
                return share == team ? graph_.rows : static_cast<VertexId>(at - offsets.begin());
            };
            const VertexId first = me == 0 ? 0 : first_of(me), last = first_of(me + 1);
            std::vector<EdgeId> next;
            errors.run([&] { next.assign(offsets.begin() + first, offsets.begin() + last); });
            for (VertexId p = 0; p < graph_.rows && !next.empty(); ++p) {
                const VertexId u = vertex(p);
                for (EdgeId e = graph_.row_offsets[u]; e < graph_.row_offsets[u + 1]; ++e) {
                    const VertexId target = position(graph_.col[e]);
                    if (target >= first && target < last) sources[next[target - first]++] = p;
                }
            }
        }
        errors.rethrow();
    }

private:
    const Graph& graph_;
    const std::vector<VertexId>& order_;
    std::vector<VertexId> position_;
};

/// Arcs by target as the schedule orders them.
void take_tasks(const Graph& graph, const Relabelled& by, const Schedule& schedule, NeighbourPlan& plan) {
    const auto refuse = [&](const std::string& what) {
        throw ScheduleError("schedule \"" + schedule.name + "\" " + what);
    };
    const std::vector<EdgeId>& tasks = schedule.level(Level::task);
    if (schedule.order.size() != graph.edges()) refuse("was made for another graph");
    if (schedule.disjoint != Disjoint::col && schedule.disjoint != Disjoint::both)
        refuse("is disjoint on " + std::string(to_string(schedule.disjoint)) +
               " only, but the operator writes targets (columns) without atomics");
    if (tasks.size() != std::size_t{graph.rows} + 1 || !schedule.has(Level::tile) ||
        schedule.count(Level::phase) != 1)
        refuse("has no tile of one task a vertex in one phase");
    const Array<VertexId> row = edge_rows(graph);
    plan.in = Offsets(tasks);
    plan.sources.resize(graph.edges());
    bool by_target = true;
#pragma omp parallel for schedule(dynamic, 1024) reduction(&& : by_target)
    for (VertexId p = 0; p < graph.rows; ++p) {
        for (EdgeId i = tasks[p]; i < tasks[p + 1]; ++i) {
            by_target = by_target && graph.col[schedule.order[i]] == by.vertex(p);
            plan.sources[i] = by.position(row[schedule.order[i]]);
        }
    }
    if (!by_target) refuse("is not grouped by target");
    for (const EdgeId tile : schedule.level(Level::tile)) plan.tiles.push_back(static_cast<VertexId>(tile));
}

/// The tiles of each bin, by the parts of the column order.
void bin_tiles(const Schedule& schedule, NeighbourPlan& plan) {
    constexpr std::size_t bins = 4;  // as the builder of pull-binned has them
    if (schedule.col_parts.size() != bins + 1)
        throw ScheduleError("schedule \"" + schedule.name + "\" has no four degree bins");
    const auto tile_at = [&](EdgeId position) {
        return static_cast<VertexId>(std::lower_bound(plan.tiles.begin(), plan.tiles.end(), position) -
                                     plan.tiles.begin());
    };
    for (std::size_t b = 0; b < bins; ++b)
        plan.bins.push_back({tile_at(schedule.col_parts[b]), tile_at(schedule.col_parts[b + 1])});
}

/// Vertices of which `most` fit on chip, if the arcs that they offer to are worth fetching them every round.
VertexId hot_vertices(const NeighbourPlan& plan) {
    constexpr VertexId most = 57344;  // floats in 224 KB; a device takes what it has room for
    constexpr EdgeId worth = 64;      // arcs a vertex of theirs must have on average
    const VertexId count = std::min(most, plan.vertices);
    return plan.out[count] >= worth * count && plan.out[count] * 8 >= plan.arcs ? count : 0;
}

}  // namespace

Offsets::Offsets(const std::vector<EdgeId>& offsets) : low(offsets.size()) {
    if (!offsets.empty() && offsets.back() >> 40)
        throw Error(Failure::bad_input, "neighbour iteration is limited to 2^40 edges");
    const bool wide = !offsets.empty() && offsets.back() >> 32;
    if (wide) high.resize(offsets.size());
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        low[i] = static_cast<std::uint32_t>(offsets[i]);
        if (wide) high[i] = static_cast<std::uint8_t>(offsets[i] >> 32);
    }
}

EdgeId NeighbourPlan::bytes() const {
    return out.bytes() + in.bytes() + 4 * (targets.size() + sources.size() + tiles.size() + order.size());
}

NeighbourPlan make_neighbour_plan(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                                  VirtualWarps warps) {
    if (!visits_neighbours(strategy.traversal))
        throw ScheduleError(std::string("strategy ") + strategy.name + " does not visit neighbours");
    if (graph.shape != GraphShape::square)
        throw ScheduleError(
            "neighbour iteration needs a square graph, one set of vertices: read it with --shape square");
    require_form(graph, strategy, schedule);
    NeighbourPlan plan;
    plan.traversal = strategy.traversal;
    plan.prepared = strategy.prepared;
    if (strategy.virtual_warps) plan.warps = warps;
    plan.vertices = graph.rows;
    plan.arcs = graph.edges();
    const bool push = strategy.traversal == Traversal::push;
    if (schedule) plan.order = push ? schedule->row_order : schedule->col_order;
    if (schedule && plan.order.size() != graph.rows)
        throw ScheduleError("schedule \"" + schedule->name + "\" has no order of the vertices");
    const Relabelled by(graph, plan.order);
    plan.out = by.out_offsets();
    switch (strategy.traversal) {
        case Traversal::edge_soa:
        case Traversal::edge_aos:
            plan.sources.resize(plan.arcs);
            for (VertexId p = 0; p < plan.vertices; ++p)
                std::fill(plan.sources.begin() + static_cast<std::ptrdiff_t>(plan.out[p]),
                          plan.sources.begin() + static_cast<std::ptrdiff_t>(plan.out[p + 1]), p);
            [[fallthrough]];
        case Traversal::push:
            plan.targets = by.targets(plan.out);
            break;
        case Traversal::edge_tiled:
        case Traversal::bins:
            take_tasks(graph, by, *schedule, plan);
            if (strategy.traversal == Traversal::bins) bin_tiles(*schedule, plan);
            plan.hot = hot_vertices(plan);
            break;
        default:
            by.by_target(plan.in, plan.sources);
            break;
    }
    return plan;
}

}  // namespace lockstep
