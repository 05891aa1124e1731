// Checks values that are minimum sums along a path from a source, such as distances, and finds such a path.
// Shares no code with the operators and the functions that run them.
//
// `Sum` defines the sums: sum(value of u, e) is the candidate value of v for an arc e from u to v. It is at
// least the value of u, and does not decrease when the value of u increases. `none` is the value of vertices
// that are not reached.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep {

/// Returns the tree of a breadth-first search from the source along tight arcs: arcs e from u to v with value
/// of v = sum(value of u, e). The tree has the parent of each vertex, and `none` for vertices that are not
/// reached. The source is its own parent. Serial, O(arcs).
template <class Value, class Sum>
std::vector<VertexId> find_tight_parents(const Graph& graph, VertexId source,
                                         const std::vector<Value>& values, Sum sum, VertexId none) {
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

/// Returns the reason why `values` are not the minimum sums from `source`, whose own value is `start`; empty
/// if they are. They are if no arc gives its head a smaller value, and tight arcs lead from the source to
/// each vertex that has a value. O(arcs).
template <class Value, class Sum>
std::string find_sum_problem(const Graph& graph, VertexId source, const std::vector<Value>& values,
                             Value start, Value none, Sum sum) {
    if (values.size() != graph.rows)
        return fmt::format("there are {} values for {} vertices", values.size(), graph.rows);
    if (values[source] != start)
        return fmt::format("the source, vertex {}, has the value {}, not {}", source, values[source], start);
    VertexId worst = max_vertices + 1;  // first tail of an arc that gives a smaller value
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
    const std::vector<VertexId> parents = find_tight_parents(graph, source, values, sum, nobody);
    for (VertexId v = 0; v < graph.rows; ++v) {
        if (parents[v] == nobody && values[v] != none)
            return fmt::format("vertex {} has the value {}, which no path from vertex {} gives it", v,
                               values[v], source);
    }
    return {};
}

/// Returns the path from `source` to `target` by find_tight_parents(), including both vertices; empty if there
/// is none.
template <class Value, class Sum>
std::vector<VertexId> find_tight_path(const Graph& graph, VertexId source, VertexId target,
                                      const std::vector<Value>& values, Sum sum) {
    const VertexId nobody = max_vertices + 1;
    const std::vector<VertexId> parents = find_tight_parents(graph, source, values, sum, nobody);
    if (parents[target] == nobody) return {};
    std::vector<VertexId> path{target};
    while (path.back() != source) path.push_back(parents[path.back()]);
    std::reverse(path.begin(), path.end());
    return path;
}

}  // namespace lockstep
