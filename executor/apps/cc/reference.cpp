#include "apps/cc/reference.hpp"

#include <fmt/format.h>

#include <numeric>

#include "lockstep/schedules/grouping.hpp"

namespace lockstep::cc {

std::vector<std::uint32_t> reference_labels(const Graph& graph) {
    constexpr std::uint32_t none = ~std::uint32_t{0};
    std::vector<EdgeId> back_offsets;
    Array<EdgeId> back;
    Array<VertexId> row;
    if (graph.directed) {
        row = edge_rows(graph);
        back_offsets = group_edges(back, graph.edges(), graph.cols, [&](EdgeId e) { return graph.col[e]; });
    }
    std::vector<std::uint32_t> labels(graph.rows, none);
    std::vector<VertexId> queue;
    const auto take = [&](VertexId v, VertexId root) {
        if (labels[v] != none) return;
        labels[v] = root;
        queue.push_back(v);
    };
    for (VertexId root = 0; root < graph.rows; ++root) {
        queue.clear();
        take(root, root);
        for (std::size_t i = 0; i < queue.size(); ++i) {
            const VertexId u = queue[i];
            for (const EdgeId e : graph.edges_of(u)) take(graph.col[e], root);
            if (!graph.directed) continue;
            for (EdgeId b = back_offsets[u]; b < back_offsets[u + EdgeId{1}]; ++b) take(row[back[b]], root);
        }
    }
    return labels;
}

std::string problem_of_labels(const Graph& graph, const std::vector<std::uint32_t>& labels) {
    if (labels.size() != graph.rows)
        return fmt::format("there are {} labels for {} vertices", labels.size(), graph.rows);
    std::vector<VertexId> above(graph.rows);
    std::iota(above.begin(), above.end(), VertexId{0});
    const auto root = [&](VertexId v) {
        while (above[v] != v) v = above[v] = above[above[v]];
        return v;
    };
    VertexId components = graph.rows, named = 0;
    for (VertexId u = 0; u < graph.rows; ++u) {
        const std::uint32_t label = labels[u];
        if (label > u || labels[label] != label)
            return fmt::format(
                "vertex {} has the label {}, which is not the smallest vertex of its component", u, label);
        named += label == u;
        for (const EdgeId e : graph.edges_of(u)) {
            const VertexId v = graph.col[e];
            if (labels[v] != label)
                return fmt::format("vertices {} and {} are joined, but have the labels {} and {}", u, v,
                                   label, labels[v]);
            const VertexId a = root(u), b = root(v);
            if (a != b) above[a] = b, --components;
        }
    }
    if (named != components) return fmt::format("there are {} labels, but {} components", named, components);
    return {};
}

}  // namespace lockstep::cc
