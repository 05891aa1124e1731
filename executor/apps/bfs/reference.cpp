#include "apps/bfs/reference.hpp"

#include <atomic>

#include "apps/frame/distances.hpp"

namespace lockstep::bfs {

std::vector<std::uint32_t> reference_levels(const Graph& graph, VertexId source) {
    std::vector<std::uint32_t> levels(graph.rows, unreached);
    std::vector<VertexId> queue{source};
    levels[source] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const VertexId u = queue[i];
        for (const EdgeId e : graph.edges_of(u)) {
            const VertexId v = graph.col[e];
            if (levels[v] != unreached) continue;
            levels[v] = levels[u] + 1;
            queue.push_back(v);
        }
    }
    return levels;
}

std::string problem_of_levels(const Graph& graph, VertexId source, const std::vector<std::uint32_t>& levels) {
    return problem_of(graph, source, levels, std::uint32_t{0}, unreached,
                      [](std::uint32_t level, EdgeId) { return level + 1; });
}

std::vector<VertexId> smallest_parents(const Graph& graph, VertexId source,
                                       const std::vector<std::uint32_t>& levels) {
    std::vector<VertexId> parents(graph.rows, unreached);
    parents[source] = source;
#pragma omp parallel for schedule(dynamic, 1024) if (graph.edges() > 1 << 16)
    for (VertexId u = 0; u < graph.rows; ++u) {
        if (levels[u] == unreached) continue;
        for (const EdgeId e : graph.edges_of(u)) {
            if (levels[graph.col[e]] != levels[u] + 1) continue;
            std::atomic_ref parent(parents[graph.col[e]]);
            VertexId found = parent.load(std::memory_order_relaxed);
            while (u < found && !parent.compare_exchange_weak(found, u, std::memory_order_relaxed)) {
            }
        }
    }
    return parents;
}

}  // namespace lockstep::bfs
