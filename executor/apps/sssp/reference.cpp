#include "apps/sssp/reference.hpp"

#include <cmath>
#include <limits>
#include <queue>

#include "apps/frame/distances.hpp"

namespace lockstep::sssp {

namespace {

/// Returns a function of `distance` and an arc: the length of a path of length `distance` that is extended by
/// the arc.
template <class T>
auto sum_of(const Graph& graph) {
    return [&graph](T distance, EdgeId e) {
        if constexpr (std::is_same_v<T, float>) {
            return distance + graph.weight(e);
        } else {
            return static_cast<T>(
                std::min<std::uint64_t>(std::uint64_t{distance} + static_cast<std::uint64_t>(graph.weight(e)),
                                        std::numeric_limits<T>::max() - 1));
        }
    };
}
template <class T>
constexpr T unreached = std::is_same_v<T, float> ? std::numeric_limits<T>::infinity()
                                                 : std::numeric_limits<T>::max();

template <class T>
std::vector<T> dijkstra(const Graph& graph, VertexId source) {
    std::vector<T> distances(graph.rows, unreached<T>);
    using Entry = std::pair<T, VertexId>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    const auto sum = sum_of<T>(graph);
    queue.emplace(distances[source] = 0, source);
    while (!queue.empty()) {
        const auto [distance, u] = queue.top();
        queue.pop();
        if (distance > distances[u]) continue;
        for (const EdgeId e : graph.edges_of(u)) {
            const T through = sum(distance, e);
            if (!(through < distances[graph.col[e]])) continue;
            queue.emplace(distances[graph.col[e]] = through, graph.col[e]);
        }
    }
    return distances;
}

}  // namespace

Weights weights_of(const Graph& graph) {
    bool whole = true;
    EdgeId wrong = graph.edges();
#pragma omp parallel for reduction(&& : whole) reduction(min : wrong) if (graph.edges() > 1 << 16)
    for (EdgeId e = 0; e < graph.value.size(); ++e) {
        const float w = graph.value[e];
        if (!(w >= 0)) wrong = std::min(wrong, e);
        whole = whole && w < 16777216 && w == std::trunc(w);
    }
    if (wrong == graph.edges()) return {whole, std::nullopt};
    const auto row = std::upper_bound(graph.row_offsets.begin(), graph.row_offsets.end(), wrong) - 1;
    return {whole, Triple{static_cast<VertexId>(row - graph.row_offsets.begin()), graph.col[wrong],
                          graph.value[wrong]}};
}

DistancesOf reference_distances(const Graph& graph, VertexId source) {
    if (weights_of(graph).whole) return dijkstra<std::uint32_t>(graph, source);
    return dijkstra<float>(graph, source);
}

std::string problem_of_distances(const Graph& graph, VertexId source, const DistancesOf& distances) {
    return std::visit(
        [&]<class T>(const std::vector<T>& d) {
            return problem_of(graph, source, d, T{0}, unreached<T>, sum_of<T>(graph));
        },
        distances);
}

std::vector<VertexId> shortest_path(const Graph& graph, const DistancesOf& distances, VertexId source,
                                    VertexId target) {
    return std::visit(
        [&]<class T>(const std::vector<T>& d) { return path_of(graph, source, target, d, sum_of<T>(graph)); },
        distances);
}

}  // namespace lockstep::sssp
