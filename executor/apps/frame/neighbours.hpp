// Lists the neighbours of each vertex in the undirected graph, for serial references and checks. Kernels do
// not use these lists, so an error here cannot hide an error of a kernel.
#pragma once

#include <algorithm>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep {

/// Returns the list of neighbours of every vertex, where u and v are neighbours if there is an arc in either
/// direction. Each list is ascending, and contains neither duplicates nor the vertex itself. Serial, O(arcs
/// log(maximum degree)).
inline std::vector<std::vector<VertexId>> list_neighbours(const Graph& graph) {
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
