// Values that are least sums along the arcs of a path from a source: their proof, and the path itself. Shares
// no code with the operators and whoever runs them.
//
// `Sum` says what the graph is: sum(value of u, edge) of an arc u -> v, and `none` is the value of what is
// not reached. Sums never become smaller along an arc, nor with a smaller value.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep {

/// The vertices that arcs without slack lead to from the source, each with the vertex that leads to it by the
/// fewest arcs; `none` elsewhere. Serial, O(arcs).
template <class Value, class Sum>
std::vector<VertexId> tight_parents(const Graph& graph, VertexId source, const std::vector<Value>& values,
                                    Sum sum, VertexId none) {
    std::vector<VertexId> parents(graph.rows, none), queue{source};
    parents[source] = source;
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const VertexId u = queue[i];
        for (const EdgeId e : graph.edges_of(u)) {
            const VertexId v = graph.col[e];
            if (parents[v] != none || values[v] != sum(values[u], e)) continue;
            parents[v] = u;
            queue.push_back(v);
        }
    }
    return parents;
}

/// Why `values` are not the least sums from `source` (start: its own); empty where they are: no arc leads
/// below the value of its head, and arcs without slack lead to each vertex that has a value. O(arcs).
template <class Value, class Sum>
std::string problem_of(const Graph& graph, VertexId source, const std::vector<Value>& values, Value start,
                       Value none, Sum sum) {
    if (values.size() != graph.rows)
        return fmt::format("there are {} values for {} vertices", values.size(), graph.rows);
    if (values[source] != start)
        return fmt::format("the source, vertex {}, has the value {}, not {}", source, values[source], start);
    VertexId worst = max_vertices + 1;  // the first tail of an arc that is not kept
#pragma omp parallel for schedule(dynamic, 1024) reduction(min : worst) if (graph.edges() > 1 << 16)
    for (VertexId u = 0; u < graph.rows; ++u) {
        if (values[u] == none) continue;
        for (const EdgeId e : graph.edges_of(u)) {
            if (!(values[graph.col[e]] <= sum(values[u], e))) worst = std::min(worst, u);
        }
    }
    for (EdgeId e = 0; worst <= max_vertices && e < graph.edges(); ++e) {
        if (e < graph.row_offsets[worst]) e = graph.row_offsets[worst];
        if (!(values[graph.col[e]] <= sum(values[worst], e)))
            return fmt::format("vertex {} has the value {}, but the arc from vertex {} gives it {}",
                               graph.col[e], values[graph.col[e]], worst, sum(values[worst], e));
    }
    const VertexId nobody = max_vertices + 1;
    const std::vector<VertexId> parents = tight_parents(graph, source, values, sum, nobody);
    for (VertexId v = 0; v < graph.rows; ++v) {
        if (parents[v] == nobody && values[v] != none)
            return fmt::format("vertex {} has the value {}, which no path from vertex {} gives it", v,
                               values[v], source);
    }
    return {};
}

/// The path by tight_parents, ends included; empty where there is none.
template <class Value, class Sum>
std::vector<VertexId> path_of(const Graph& graph, VertexId source, VertexId target,
                              const std::vector<Value>& values, Sum sum) {
    const VertexId nobody = max_vertices + 1;
    const std::vector<VertexId> parents = tight_parents(graph, source, values, sum, nobody);
    if (parents[target] == nobody) return {};
    std::vector<VertexId> path{target};
    while (path.back() != source) path.push_back(parents[path.back()]);
    std::reverse(path.begin(), path.end());
    return path;
}

}  // namespace lockstep
