// The undirected graph below a graph, for references and proofs: made in another way than kernels' plans.
#pragma once

#include <algorithm>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep {

/// The distinct neighbours of every vertex but itself, whichever way the arcs go, ascending. Serial,
/// O(arcs log(largest degree)).
inline std::vector<std::vector<VertexId>> neighbours_of(const Graph& graph) {
    std::vector<std::vector<VertexId>> all(graph.rows);
    for (VertexId u = 0; u < graph.rows; ++u) {
        for (const EdgeId e : graph.edges_of(u)) {
            if (graph.col[e] == u) continue;
            all[u].push_back(graph.col[e]);
            if (graph.directed) all[graph.col[e]].push_back(u);
        }
    }
    for (auto& list : all) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return all;
}

}  // namespace lockstep
