#include "lockstep/executor/structure/undirected.hpp"

#include <algorithm>
#include <functional>

#include "lockstep/schedules/error.hpp"
#include "lockstep/schedules/grouping.hpp"

namespace lockstep::structure {

namespace {

struct Neighbour {
    VertexId end;
    float weight;
    bool operator<(const Neighbour& other) const {
        return end != other.end ? end < other.end : weight < other.weight;
    }
};

/// The in-arcs of every vertex of a directed graph, as arc indices grouped by vertex.
struct Incoming {
    std::vector<EdgeId> offsets;
    Array<EdgeId> arcs;
    Array<VertexId> rows;  ///< source of every arc
};

Incoming incoming_of(const Graph& graph) {
    if (!graph.directed) return {};
    Incoming in{{}, Array<EdgeId>(graph.edges()), edge_rows(graph)};
    in.offsets = group_ids(
        graph.edges(), graph.cols, [&](EdgeId e) { return graph.col[e]; }, [](EdgeId e) { return e; },
        graph.edges(), in.arcs.data());
    return in;
}

}  // namespace

Undirected make_undirected(const Graph& graph, bool weights, std::span<const VertexId> order) {
    require_ends(graph, Ends::sides);
    if (graph.shape != GraphShape::square)
        throw ScheduleError(
            "this application needs a square graph (one set of vertices): read it with --shape square");
    Undirected plan;
    plan.vertices = graph.rows;
    plan.order.assign(order.begin(), order.end());
    std::vector<VertexId> positions(order.size());
    for (VertexId p = 0; p < order.size(); ++p) positions[order[p]] = p;
    const Incoming in = incoming_of(graph);
    const bool weighted = weights && !graph.value.empty();
    /// Stores the neighbours of position `p` in `list`, in the order in which the plan stores them.
    const auto gather = [&](VertexId p, std::vector<Neighbour>& list) {
        const VertexId v = plan.vertex(p);
        list.clear();
        const auto add = [&](VertexId u, EdgeId e) {
            if (u != v)
                list.push_back({positions.empty() ? u : positions[u], weighted ? graph.value[e] : 1.0F});
        };
        for (const EdgeId e : edges_of(graph.row_offsets, v)) add(graph.col[e], e);
        if (graph.directed) {
            for (const EdgeId i : edges_of(in.offsets, v)) add(in.rows[in.arcs[i]], in.arcs[i]);
        }
        if (graph.directed || weighted || !positions.empty()) std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end(),
                               [](const Neighbour& a, const Neighbour& b) { return a.end == b.end; }),
                   list.end());
    };
    std::vector<EdgeId> offsets(plan.vertices + std::size_t{1}, 0);
    ParallelErrors errors;
    // A generic lambda cannot be used here, because clang 14 does not find captured variables inside a
    // parallel region.
    const auto each = [&](const std::function<void(VertexId, const std::vector<Neighbour>&)>& use) {
#pragma omp parallel
        {
            std::vector<Neighbour> list;
#pragma omp for schedule(dynamic, 512)
            for (VertexId p = 0; p < plan.vertices; ++p) {
                errors.run([&] {
                    gather(p, list);
                    use(p, list);
                });
            }
        }
        errors.rethrow();
    };
    each([&](VertexId p, const auto& list) { offsets[p + EdgeId{1}] = list.size(); });
    for (VertexId p = 0; p < plan.vertices; ++p) {
        plan.largest = std::max(plan.largest, offsets[p + EdgeId{1}]);
        offsets[p + EdgeId{1}] += offsets[p];
    }
    plan.offsets = Offsets(offsets);
    plan.ends.resize(offsets.back());
    if (weighted) plan.weights.resize(offsets.back());
    each([&](VertexId p, const auto& list) {
        EdgeId to = offsets[p];
        for (const Neighbour& n : list) {
            plan.ends[to] = n.end;
            if (weighted) plan.weights[to] = n.weight == 0 ? 0.0F : n.weight;  // replaces -0 by 0
            ++to;
        }
    });
    return plan;
}

}  // namespace lockstep::structure
