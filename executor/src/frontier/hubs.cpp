#include "lockstep/executor/frontier/hubs.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "lockstep/schedules/error.hpp"
#include "lockstep/schedules/grouping.hpp"

namespace lockstep::frontier {

namespace {

/// The arcs of `out` by target, ascending by weight (all 1: by source). `source` of each arc.
Lists by_target(const Lists& out, const std::vector<VertexId>& source, VertexId vertices) {
    const EdgeId arcs = out.ends.size();
    Array<EdgeId> from(arcs);
    const std::vector<EdgeId> offsets = group_ids(
        arcs, vertices, [&](EdgeId i) { return out.ends[i]; }, [](EdgeId i) { return i; }, arcs, from.data());
    Lists in{arc::Offsets(offsets), Array<VertexId>(arcs), Array<float>(out.weights.size())};
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic, 256)
    for (VertexId v = 0; v < vertices; ++v) {
        errors.run([&] {
            EdgeId* const first = from.data() + offsets[v];
            EdgeId* const last = from.data() + offsets[v + EdgeId{1}];
            if (!out.weights.empty())
                std::stable_sort(first, last,
                                 [&](EdgeId a, EdgeId b) { return out.weights[a] < out.weights[b]; });
            for (EdgeId i = offsets[v]; i < offsets[v + EdgeId{1}]; ++i) {
                in.ends[i] = source[from[i]];
                if (!in.weights.empty()) in.weights[i] = out.weights[from[i]];
            }
        });
    }
    errors.rethrow();
    return in;
}

/// The vertices before the last that has arcs, and that one.
VertexId last_linked(const Lists& lists, VertexId vertices) {
    const arc::OffsetsView offsets = lists.offsets.view();
    while (vertices > 0 && offsets.degree(vertices - 1) == 0) --vertices;
    return vertices;
}

}  // namespace

Hubs Hubs::make(const Graph& graph, const Schedule* given, const Wanted& wanted) {
    const Schedule& schedule = *given;
    const bool weights = wanted.weights && !graph.value.empty();
    if (weights && schedule.name != "hubs-weight")
        throw ScheduleError("schedule \"" + schedule.name +
                                "\" has no lists by weight, which shortest paths go by: take hubs-weight",
                            Failure::usage);
    Hubs plan;
    plan.vertices = graph.rows;
    plan.arcs = graph.edges();
    plan.symmetric = !graph.directed;
    plan.order = schedule.row_order;
    plan.positions.resize(graph.rows);
    for (VertexId p = 0; p < graph.rows; ++p) plan.positions[plan.order[p]] = p;
    plan.out.offsets = arc::Numbered(graph, plan.order).out_offsets();
    plan.out.ends.resize(plan.arcs);
    if (weights) plan.out.weights.resize(plan.arcs);
#pragma omp parallel for schedule(static)
    for (EdgeId i = 0; i < plan.arcs; ++i) {
        plan.out.ends[i] = plan.positions[graph.col[schedule.order[i]]];
        if (weights) plan.out.weights[i] = graph.value[schedule.order[i]];
    }
    plan.linked = last_linked(plan.out, plan.vertices);
    if (plan.symmetric) return plan;
    std::vector<VertexId> source(plan.arcs);
    const arc::OffsetsView out = plan.out.offsets.view();
#pragma omp parallel for schedule(dynamic, 1024)
    for (VertexId v = 0; v < graph.rows; ++v)
        std::fill(source.data() + out[v], source.data() + out[v + EdgeId{1}], v);
    plan.in = by_target(plan.out, source, plan.vertices);
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

QuadLists quad_lists(const Lists& lists, VertexId vertices, QuadWeights weights) {
    const arc::OffsetsView offsets = lists.offsets.view();
    QuadLists quads;
    const EdgeId padded = (EdgeId{vertices} + 31) / 32 * 32;
    quads.first.resize(padded + 1);
    Array<EdgeId> count(vertices);
#pragma omp parallel for schedule(dynamic, 1024)
    for (VertexId v = 0; v < vertices; ++v) {
        count[v] = offsets.degree(v) -
                   static_cast<EdgeId>(std::count(lists.ends.data() + offsets[v],
                                                  lists.ends.data() + offsets[v + EdgeId{1}], v));
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
        for (EdgeId i = offsets[v]; i < offsets[v + EdgeId{1}]; ++i) {
            if (lists.ends[i] == v) continue;
            last = lists.weights.empty() ? 1.0F : lists.weights[i];
            put(lists.ends[i], last);
        }
        while (to < EdgeId{quads.first[v + EdgeId{1}]} * 4) put(v, last);
    }
    return quads;
}

}  // namespace lockstep::frontier
