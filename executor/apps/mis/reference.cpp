#include "apps/mis/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockstep::mis {

namespace {

/// The ends of all arcs, both ways, grouped by vertex, and the key of every vertex.
struct Neighbours {
    std::vector<std::vector<VertexId>> of;
    std::vector<std::pair<std::uint32_t, VertexId>> keys;

    Neighbours(const Graph& graph, const structure::Priority& priority) : of(graph.rows) {
        for (VertexId u = 0; u < graph.rows; ++u) {
            for (EdgeId e = graph.row_offsets[u]; e < graph.row_offsets[u + EdgeId{1}]; ++e) {
                const VertexId v = graph.col[e];
                if (u != v) of[u].push_back(v);
                if (u != v && graph.directed) of[v].push_back(u);
            }
        }
        for (VertexId v = 0; v < graph.rows; ++v) {
            std::sort(of[v].begin(), of[v].end());
            of[v].erase(std::unique(of[v].begin(), of[v].end()), of[v].end());
            keys.emplace_back(of[v].empty() ? 0 : priority.key(v, of[v].size()), v);
        }
    }
};

}  // namespace

std::vector<std::uint32_t> reference_set(const Graph& graph, const structure::Priority& priority) {
    const Neighbours neighbours(graph, priority);
    auto order = neighbours.keys;
    std::sort(order.begin(), order.end());
    std::vector<std::uint32_t> members(graph.rows, 1);
    for (const auto& [key, v] : order) {
        if (!members[v]) continue;
        for (const VertexId u : neighbours.of[v]) members[u] = 0;
    }
    return members;
}

std::string problem_of_set(const Graph& graph, const structure::Priority& priority,
                           const std::vector<std::uint32_t>& members) {
    if (members.size() != graph.rows)
        return fmt::format("there are {} values for {} vertices", members.size(), graph.rows);
    const Neighbours neighbours(graph, priority);
    for (VertexId v = 0; v < graph.rows; ++v) {
        if (members[v] > 1) return fmt::format("vertex {} has the value {}, neither 0 nor 1", v, members[v]);
        VertexId before = v;  // a neighbour in the set that goes before it
        for (const VertexId u : neighbours.of[v]) {
            if (members[u] && neighbours.keys[u] < neighbours.keys[v]) before = u;
        }
        if (members[v] && before != v)
            return fmt::format("vertices {} and {} are neighbours, and both in the set", before, v);
        if (!members[v] && before == v)
            return fmt::format("vertex {} is not in the set, though no neighbour that goes before it is", v);
    }
    return {};
}

}  // namespace lockstep::mis
