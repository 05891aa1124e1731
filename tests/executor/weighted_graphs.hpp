// Square graphs with weights for traversals.
#pragma once

#include "square_graphs.hpp"

namespace lockstep::test {

/// The weights of a test graph: none; whole numbers 1 to 255; whole numbers 0 to 3; real numbers.
enum class Weights { none, whole, zeros, real };

/// Sets weights that depend on the two endpoints and are the same in both directions; those of repeated arcs
/// differ.
inline void weigh(Graph& graph, Weights weights) {
    if (weights == Weights::none) return;
    const Array<VertexId> row = edge_rows(graph);
    graph.value.resize(graph.edges());
    EdgeId repeated = 0;
    for (EdgeId e = 0; e < graph.edges(); ++e) {
        repeated = e && row[e] == row[e - 1] && graph.col[e] == graph.col[e - 1] ? repeated + 1 : 0;
        const auto [low, high] = std::minmax(row[e], graph.col[e]);
        const std::uint32_t mixed =
            ((low * 2654435761U) ^ (high * 2246822519U + 374761393U * std::uint32_t(repeated))) >> 8;
        graph.value[e] = weights == Weights::whole   ? 1.0F + static_cast<float>(mixed % 255)
                         : weights == Weights::zeros ? static_cast<float>(mixed % 4)
                                                     : static_cast<float>(mixed % 100000) * 0.001F;
    }
}

/// Returns the graphs of battery_of_both() with weights, without empty ones and, for whole weights, without
/// large ones.
inline std::vector<NamedGraph> graphs(Weights weights) {
    std::vector<NamedGraph> all = battery_of_both();
    std::erase_if(all, [&](const NamedGraph& g) {
        return g.graph.rows == 0 ||
               (g.graph.rows > 100000 && weights != Weights::none && weights != Weights::real);
    });
    for (NamedGraph& g : all) weigh(g.graph, weights);
    return all;
}

}  // namespace lockstep::test
