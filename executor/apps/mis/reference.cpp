#include "apps/mis/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "apps/frame/neighbours.hpp"

namespace lockstep::mis {

namespace {

/// The neighbours of every vertex, and its key.
struct Neighbours {
    std::vector<std::vector<VertexId>> of;
    std::vector<std::pair<std::uint32_t, VertexId>> keys;

    Neighbours(const Graph& graph, const structure::Priority& priority) : of(neighbours_of(graph)) {
        for (VertexId v = 0; v < graph.rows; ++v) {
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
