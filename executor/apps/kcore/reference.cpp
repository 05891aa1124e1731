#include "apps/kcore/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "apps/frame/neighbours.hpp"

namespace lockstep::kcore {

std::vector<std::uint32_t> reference_cores(const Graph& graph, std::optional<std::uint32_t> k) {
    const auto neighbours = neighbours_of(graph);
    std::vector<std::uint32_t> cores(graph.rows);
    std::vector<std::vector<VertexId>> buckets;
    const auto file = [&](VertexId v) {
        if (cores[v] >= buckets.size()) buckets.resize(cores[v] + std::size_t{1});
        buckets[cores[v]].push_back(v);
    };
    for (VertexId v = 0; v < graph.rows; ++v) {
        cores[v] = static_cast<std::uint32_t>(neighbours[v].size());
        file(v);
    }
    std::vector<bool> gone(graph.rows, false);
    for (std::uint32_t level = 0; level < buckets.size(); ++level) {
        for (std::size_t i = 0; i < buckets[level].size(); ++i) {
            const VertexId v = buckets[level][i];
            if (gone[v] || cores[v] != level) continue;
            gone[v] = true;
            for (const VertexId u : neighbours[v]) {
                if (gone[u] || cores[u] <= level) continue;
                --cores[u];
                file(u);
            }
        }
    }
    if (k) std::transform(cores.begin(), cores.end(), cores.begin(), [&](auto c) { return c >= *k; });
    return cores;
}

std::string problem_of_cores(const Graph& graph, std::optional<std::uint32_t> k,
                             const std::vector<std::uint32_t>& cores) {
    if (cores.size() != graph.rows)
        return fmt::format("there are {} values for {} vertices", cores.size(), graph.rows);
    const auto neighbours = neighbours_of(graph);
    /// The minimum number of neighbours of the same or a higher value that a vertex must have, and the
    /// maximum number that may be left when it is removed.
    const auto least = [&](VertexId v) { return !k ? cores[v] : cores[v] ? *k : 0; };
    const auto most = [&](VertexId v) { return !k ? cores[v] : *k - 1; };
    std::vector<std::size_t> left(graph.rows);
    std::vector<VertexId> order(graph.rows);
    for (VertexId v = 0; v < graph.rows; ++v) {
        if (k && cores[v] > 1) return fmt::format("vertex {} has the value {}, neither 0 nor 1", v, cores[v]);
        left[v] = neighbours[v].size();
        const auto fellows = static_cast<std::uint64_t>(std::count_if(
            neighbours[v].begin(), neighbours[v].end(), [&](VertexId u) { return cores[u] >= cores[v]; }));
        if (fellows < least(v))
            return fmt::format("vertex {} has the value {}, but {} neighbours of that or more", v, cores[v],
                               fellows);
    }
    std::iota(order.begin(), order.end(), VertexId{0});
    std::stable_sort(order.begin(), order.end(), [&](VertexId a, VertexId b) { return cores[a] < cores[b]; });
    std::vector<bool> gone(graph.rows, false);
    std::vector<VertexId> queue;
    for (auto first = order.begin(), last = first; first != order.end(); first = last) {
        const std::uint32_t value = cores[*first];
        if (k && value) break;  // the vertices inside the core stay
        last = std::find_if(first, order.end(), [&](VertexId v) { return cores[v] != value; });
        queue.clear();
        const auto may_go = [&](VertexId v) { return !gone[v] && cores[v] == value && left[v] <= most(v); };
        const auto take = [&](VertexId v) {
            if (!may_go(v)) return;
            gone[v] = true;
            queue.push_back(v);
        };
        std::for_each(first, last, take);
        for (std::size_t i = 0; i < queue.size(); ++i) {
            for (const VertexId u : neighbours[queue[i]]) {
                --left[u];
                take(u);
            }
        }
        const auto stuck = std::find_if(first, last, [&](VertexId v) { return !gone[v]; });
        if (stuck != last)
            return fmt::format("vertex {} has the value {}, but {} neighbours are left when no more can go",
                               *stuck, value, left[*stuck]);
    }
    return {};
}

}  // namespace lockstep::kcore
