#include "lockstep/executor/frontier/plan.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep::frontier {

namespace {

/// Sorts the arcs of a vertex by their targets, together with their weights. `buffer` is a buffer.
void sort_arcs(VertexId* ends, float* weights, EdgeId count,
               std::vector<std::pair<VertexId, float>>& buffer) {
    if (!weights) return std::sort(ends, ends + count);
    buffer.resize(count);
    for (EdgeId i = 0; i < count; ++i) buffer[i] = {ends[i], weights[i]};
    std::sort(buffer.begin(), buffer.end());
    for (EdgeId i = 0; i < count; ++i) std::tie(ends[i], weights[i]) = buffer[i];
}

Csr by_source(const Numbering& graph, bool weights) {
    const Graph& g = graph.graph;
    Csr lists{graph.out_offsets(), Array<VertexId>(g.edges()), {}};
    if (weights && !g.value.empty()) lists.weights.resize(g.edges());
    ParallelErrors errors;
#pragma omp parallel
    {
        std::vector<std::pair<VertexId, float>> buffer;
#pragma omp for schedule(dynamic, 1024)
        for (VertexId p = 0; p < g.rows; ++p) {
            const EdgeRange edges = edges_of(g.row_offsets, graph.vertex(p));
            const EdgeId to = lists.offsets[p];
            VertexId* const ends = lists.ends.data() + to;
            float* const values = lists.weights.empty() ? nullptr : lists.weights.data() + to;
            for (const EdgeId e : edges) ends[e - edges.first] = graph.position(g.col[e]);
            if (values) std::copy_n(g.value.data() + edges.first, edges.size(), values);
            if (!graph.order.empty()) errors.run([&] { sort_arcs(ends, values, edges.size(), buffer); });
        }
    }
    errors.rethrow();
    return lists;
}

}  // namespace

Expand Expand::make(const Graph& graph, const Schedule* schedule, const PlanRequirements& wanted) {
    if (schedule && schedule->row_order.size() != graph.rows)
        throw ScheduleError("schedule \"" + schedule->name + "\" has no order of the vertices");
    Expand plan;
    plan.vertices = graph.rows;
    plan.arcs = graph.edges();
    if (schedule) plan.order = schedule->row_order;
    Numbering numbered(graph, plan.order);
    plan.out = by_source(numbered, wanted.weights);
    plan.positions = std::move(numbered.positions);
    plan.symmetric = !graph.directed;
    if (wanted.incoming && !plan.symmetric) plan.in = transpose_arcs(plan.out, plan.vertices);
    return plan;
}

FrontierPlan make_frontier_plan(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                                const PlanRequirements& wanted) {
    if (strategy.walk.family != Family::frontier)
        throw ScheduleError(std::string("strategy ") + strategy.name +
                            " does not run in rounds over active vertices");
    require_ends(graph, Ends::sides);
    if (graph.shape != GraphShape::square)
        throw ScheduleError(
            "a traversal needs a square graph (one set of vertices): read it with --shape square");
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
