#include "apps/triangles/reference.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <numeric>

#include "apps/frame/neighbours.hpp"

namespace lockstep::triangles {

std::vector<std::uint64_t> reference_counts(const Graph& graph) {
    const auto lists = neighbours_of(graph);
    std::vector<std::uint64_t> counts(graph.rows);
    for (VertexId u = 0; u < graph.rows; ++u) {
        for (const VertexId v : lists[u]) {
            const auto& [few, many] = std::minmax(
                lists[u], lists[v], [](const auto& a, const auto& b) { return a.size() < b.size(); });
            for (const VertexId w : few) counts[u] += std::binary_search(many.begin(), many.end(), w);
        }
        counts[u] /= 2;  // each triangle was found at two edges of u
    }
    return counts;
}

std::string problem_of_counts(const Graph& graph, const std::vector<std::uint64_t>& counts, bool by_vertex) {
    if (counts.size() != (by_vertex ? graph.rows : 1))
        return fmt::format("there are {} counts for {} vertices", counts.size(), graph.rows);
    const auto lists = neighbours_of(graph);
    const auto threads = static_cast<std::size_t>(omp_get_max_threads());
    std::vector<std::vector<VertexId>> marks(threads, std::vector<VertexId>(graph.rows, graph.rows));
    // Triangles at the edges of a vertex; each triangle counts twice.
    std::vector<std::uint64_t> at_edges(graph.rows);
#pragma omp parallel for schedule(dynamic, 64)
    for (VertexId u = 0; u < graph.rows; ++u) {
        auto& mark = marks[static_cast<std::size_t>(omp_get_thread_num())];
        for (const VertexId v : lists[u]) mark[v] = u;
        for (const VertexId v : lists[u]) {
            if (std::pair(lists[v].size(), v) > std::pair(lists[u].size(), u)) continue;
            std::uint64_t met = 0;
            for (const VertexId w : lists[v]) met += mark[w] == u;
            for (const VertexId end : {u, v}) {
#pragma omp atomic
                at_edges[end] += met;
            }
        }
    }
    for (VertexId v = 0; by_vertex && v < graph.rows; ++v) {
        if (counts[v] * 2 != at_edges[v])
            return fmt::format("vertex {} is said to be in {} triangles; its edges are in {}", v, counts[v],
                               at_edges[v] / 2);
    }
    const std::uint64_t all = std::accumulate(at_edges.begin(), at_edges.end(), std::uint64_t{0}) / 6;
    if (!by_vertex && counts[0] != all)
        return fmt::format("{} triangles are said to be there; there are {}", counts[0], all);
    return {};
}

}  // namespace lockstep::triangles
