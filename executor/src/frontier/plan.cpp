#include "lockstep/executor/frontier/plan.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep::frontier {

namespace {

/// Sorts a vertex's arcs by their ends, its weights with them.
void sort_arcs(VertexId* ends, float* weights, EdgeId count, std::vector<std::pair<VertexId, float>>& room) {
    if (!weights) return std::sort(ends, ends + count);
    room.resize(count);
    for (EdgeId i = 0; i < count; ++i) room[i] = {ends[i], weights[i]};
    std::sort(room.begin(), room.end());
    for (EdgeId i = 0; i < count; ++i) std::tie(ends[i], weights[i]) = room[i];
}

Lists by_source(const arc::Numbered& graph, bool weights) {
    const Graph& g = graph.graph;
    Lists lists{graph.out_offsets(), Array<VertexId>(g.edges()), {}};
    if (weights && !g.value.empty()) lists.weights.resize(g.edges());
    ParallelErrors errors;
#pragma omp parallel
    {
        std::vector<std::pair<VertexId, float>> room;
#pragma omp for schedule(dynamic, 1024)
        for (VertexId p = 0; p < g.rows; ++p) {
            const VertexId v = graph.vertex(p);
            const EdgeId from = g.row_offsets[v], count = g.row_offsets[v + 1] - from, to = lists.offsets[p];
            VertexId* const ends = lists.ends.data() + to;
            float* const values = lists.weights.empty() ? nullptr : lists.weights.data() + to;
            for (EdgeId i = 0; i < count; ++i) ends[i] = graph.position(g.col[from + i]);
            if (values) std::copy_n(g.value.data() + from, count, values);
            if (!graph.order.empty()) errors.run([&] { sort_arcs(ends, values, count, room); });
        }
    }
    errors.rethrow();
    return lists;
}

/// The arcs of `out` by target, sources ascending: counted, then placed by ranges of sources, one a thread.
Lists by_target(const Lists& out, VertexId vertices) {
    std::vector<EdgeId> offsets(std::size_t{vertices} + 1, 0);
    for (const VertexId v : out.ends) ++offsets[std::size_t{v} + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    Lists in{arc::Offsets(offsets), Array<VertexId>(out.ends.size()), Array<float>(out.weights.size())};
    offsets.pop_back();
    for (VertexId u = 0; u < vertices; ++u) {
        for (EdgeId e = out.offsets[u]; e < out.offsets[u + EdgeId{1}]; ++e) {
            const EdgeId at = offsets[out.ends[e]]++;
            in.ends[at] = u;
            if (!in.weights.empty()) in.weights[at] = out.weights[e];
        }
    }
    return in;
}

}  // namespace

Expand Expand::make(const Graph& graph, const Schedule* schedule, const Wanted& wanted) {
    if (schedule && schedule->row_order.size() != graph.rows)
        throw ScheduleError("schedule \"" + schedule->name + "\" has no order of the vertices");
    Expand plan;
    plan.vertices = graph.rows;
    plan.arcs = graph.edges();
    if (schedule) plan.order = schedule->row_order;
    const arc::Numbered numbered(graph, plan.order);
    plan.positions.resize(plan.order.size());
    for (VertexId p = 0; p < plan.order.size(); ++p) plan.positions[plan.order[p]] = p;
    plan.out = by_source(numbered, wanted.weights);
    plan.symmetric = !graph.directed;
    if (wanted.incoming && !plan.symmetric) plan.in = by_target(plan.out, plan.vertices);
    return plan;
}

FrontierPlan make_frontier_plan(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                                const Wanted& wanted) {
    if (strategy.walk.family != Family::frontier)
        throw ScheduleError(std::string("strategy ") + strategy.name + " does not go by active vertices");
    if (graph.shape != GraphShape::square)
        throw ScheduleError(
            "a traversal needs a square graph, one set of vertices: read it with --shape square");
    require_form(graph, strategy, schedule);
    std::optional<FrontierPlan> plan;
    WalksOf<FrontierWalk>::call(strategy.walk, [&]<class Plan>(std::type_identity<Plan>) {
        plan = Plan::make(graph, schedule, wanted);
        std::get<Plan>(*plan).weights_left_out = !wanted.weights && !graph.value.empty();
    });
    return std::move(plan.value());
}

float bucket_width(const Expand& plan, double given, double degree) {
    if (given > 0) return static_cast<float>(given);
    if (plan.out.weights.empty()) return 1;
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (std::size_t e = 0; e < plan.out.weights.size(); ++e) sum += static_cast<double>(plan.out.weights[e]);
    const double mean = sum / static_cast<double>(plan.arcs),
                 fullness = degree * static_cast<double>(plan.vertices) / static_cast<double>(plan.arcs);
    return std::max(static_cast<float>(mean * std::clamp(fullness * fullness, 1.0 / 64, 64.0)),
                    std::numeric_limits<float>::min());
}

}  // namespace lockstep::frontier
