#include "lockstep/executor/frontier/hubs.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>

#include "lockstep/schedules/error.hpp"
#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep::frontier {

namespace {

/// Returns the arcs of `out`, grouped by target. The arcs of a target are sorted by ascending weight, and
/// then by source.
Csr by_target(const Csr& out, VertexId vertices) {
    Csr in = transpose_arcs(out, vertices);
    if (in.weights.empty()) return in;
    ParallelErrors errors;
#pragma omp parallel
    {
        std::vector<std::pair<float, VertexId>> arcs;
#pragma omp for schedule(dynamic, 256)
        for (VertexId v = 0; v < vertices; ++v) {
            errors.run([&] {
                arcs.clear();
                for (const EdgeId e : in.edges_of(v)) arcs.emplace_back(in.weights[e], in.ends[e]);
                std::stable_sort(arcs.begin(), arcs.end(),
                                 [](const auto& a, const auto& b) { return a.first < b.first; });
                EdgeId e = in.offsets[v];
                for (const auto& arc : arcs) std::tie(in.weights[e], in.ends[e]) = arc, ++e;
            });
        }
    }
    errors.rethrow();
    return in;
}

/// Returns the number of vertices up to and including the last one that has arcs.
VertexId last_linked(const Csr& lists, VertexId vertices) {
    while (vertices > 0 && lists.degree(vertices - 1) == 0) --vertices;
    return vertices;
}

}  // namespace

Hubs Hubs::make(const Graph& graph, const Schedule* given, const PlanRequirements& wanted) {
    const Schedule& schedule = *given;
    const bool weights = wanted.weights && !graph.value.empty();
    if (weights && schedule.name != "hubs-weight")
        throw ScheduleError(
            "schedule \"" + schedule.name +
                "\" has no lists in order of weight, which shortest paths require: use hubs-weight",
            Failure::usage);
    Hubs plan;
    plan.vertices = graph.rows;
    plan.arcs = graph.edges();
    plan.symmetric = !graph.directed;
    plan.order = schedule.row_order;
    Numbering numbered(graph, plan.order);
    plan.out.offsets = numbered.out_offsets();
    plan.positions = std::move(numbered.positions);
    plan.out.ends.resize(plan.arcs);
    if (weights) plan.out.weights.resize(plan.arcs);
#pragma omp parallel for schedule(static)
    for (EdgeId i = 0; i < plan.arcs; ++i) {
        plan.out.ends[i] = plan.positions[graph.col[schedule.order[i]]];
        if (weights) plan.out.weights[i] = graph.value[schedule.order[i]];
    }
    plan.linked = last_linked(plan.out, plan.vertices);
    if (plan.symmetric) return plan;
    plan.in = by_target(plan.out, plan.vertices);
    plan.linked = std::max(plan.linked, last_linked(plan.in, plan.vertices));
    return plan;
}

QuadWeights quad_weights(const Hubs& plan) {
    bool fits = plan.linked <= VertexId{1} << 24;
    const auto& weights = plan.out.weights;
#pragma omp parallel for schedule(static) reduction(&& : fits)
    for (std::size_t i = 0; i < weights.size(); ++i)
        fits = fits && weights[i] < 256 && weights[i] == static_cast<float>(static_cast<int>(weights[i]));
    return fits ? QuadWeights::packed : QuadWeights::apart;
}

QuadLists quad_lists(const Csr& lists, VertexId vertices, QuadWeights weights) {
    QuadLists quads;
    const EdgeId padded = (EdgeId{vertices} + 31) / 32 * 32;
    quads.first.resize(padded + 1);
    Array<EdgeId> count(vertices);
#pragma omp parallel for schedule(dynamic, 1024)
    for (VertexId v = 0; v < vertices; ++v) {
        const VertexRange ends = lists.neighbours(v);
        count[v] = ends.size() - static_cast<EdgeId>(std::count(ends.begin(), ends.end(), v));
    }
    EdgeId end = 0;
    for (VertexId v = 0; v < vertices; ++v) {
        quads.first[v] = static_cast<std::uint32_t>(end);
        end += (count[v] + 3) / 4;
        if (end > std::numeric_limits<std::uint32_t>::max())
            throw ScheduleError("the hub-first walk is for graphs of up to 2^34 arcs on a GPU");
    }
    std::fill(quads.first.begin() + vertices, quads.first.end(), static_cast<std::uint32_t>(end));
    quads.ends.resize(4 * end);
    if (weights == QuadWeights::apart) quads.weights.resize(4 * end);
#pragma omp parallel for schedule(dynamic, 256)
    for (VertexId v = 0; v < vertices; ++v) {
        EdgeId to = EdgeId{quads.first[v]} * 4;
        const auto put = [&](VertexId arc_end, float weight) {
            quads.ends[to] =
                weights == QuadWeights::packed ? static_cast<std::uint32_t>(weight) << 24 | arc_end : arc_end;
            if (weights == QuadWeights::apart) quads.weights[to] = std::bit_cast<std::uint32_t>(weight);
            ++to;
        };
        float last = 0;
        for (const EdgeId e : lists.edges_of(v)) {
            if (lists.ends[e] == v) continue;
            last = lists.view().weight(e);
            put(lists.ends[e], last);
        }
        while (to < EdgeId{quads.first[v + EdgeId{1}]} * 4) put(v, last);
    }
    return quads;
}

}  // namespace lockstep::frontier
