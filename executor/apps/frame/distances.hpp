// Verifies values that are minimum sums over all paths from a source, such as distances, and finds a path
// with the minimum sum. This code shares nothing with the operators and walks that compute the values.
//
// The parameter `sum` defines the sum: sum(value of u, e) is the candidate value of v for an arc e from u to
// v. The candidate must be at least the value of u, and must not decrease when the value of u increases.
// `none` is the value of vertices that no path reaches.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep {

/// Returns a tree of paths that have the minimum sums. The tree is found by a breadth-first search from the
/// source that follows only tight arcs: an arc e from u to v is tight if the value of v equals sum(value of
/// u, e). The result is the parent of each vertex: the source is its own parent, and the parent of an
/// unreached vertex is `none`. Serial, O(arcs).
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

/// Verifies that `values` are the minimum sums of paths from `source`, whose own value is `start`. Returns a
/// description of the first error, or an empty string if there is none. The values are right if no arc gives
/// its head a smaller value, and tight arcs (find_tight_parents) connect the source with each vertex that has
/// a value. O(arcs).
template <class Value, class Sum>
std::string find_sum_problem(const Graph& graph, VertexId source, const std::vector<Value>& values,
                             Value start, Value none, Sum sum) {
    if (values.size() != graph.rows)
        return fmt::format("there are {} values for {} vertices", values.size(), graph.rows);
    if (values[source] != start)
        return fmt::format("the source, vertex {}, has the value {}, not {}", source, values[source], start);
    VertexId worst = max_vertices + 1;  // lowest vertex with an out-arc that gives its head a smaller value
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
            return fmt::format("vertex {} has the value {}, but the arc from vertex {} leads to {}",
                               graph.col[e], values[graph.col[e]], worst, sum(values[worst], e));
    }
    const VertexId nobody = max_vertices + 1;
    const std::vector<VertexId> parents = find_tight_parents(graph, source, values, sum, nobody);
    for (VertexId v = 0; v < graph.rows; ++v) {
        if (parents[v] == nobody && values[v] != none)
            return fmt::format("vertex {} has the value {}, but no path from vertex {} has this value", v,
                               values[v], source);
    }
    return {};
}

/// Returns the vertices of the path from `source` to `target` in the tree of find_tight_parents(), including
/// both; empty if the target is not reached.
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
