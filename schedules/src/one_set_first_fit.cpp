#include <atomic>
#include <bit>

#include "one_set.hpp"
#include "taken_colours.hpp"

namespace lockstep::one_set {

namespace {

/// Colours the edges with one 64-bit mask of taken colours per vertex. Returns false if the masks are too
/// small.
bool colour_by_masks(const Graph& graph, Array<VertexId>& colour) {
    std::vector<std::uint64_t> taken(graph.rows, 0);
    std::atomic<bool> enough{true};
    for_each_edge_apart(graph, [&](VertexId u, VertexId v, EdgeId e) {
        std::uint64_t &a = taken[u], &b = taken[v];
        const std::uint64_t busy = a | b, free = ~busy & (busy + 1);
        if (free == 0) return enough.store(false, std::memory_order_relaxed);
        a |= free, b |= free;
        colour[e] = static_cast<VertexId>(std::countr_zero(free));
    });
    return enough;
}

/// Colours the edges with the bit sets of taken_colours.hpp, which support any degree.
void colour_by_records(const Graph& graph, const std::vector<EdgeId>& degree, Array<VertexId>& colour) {
    TakenColours taken(degree);
    for_each_edge_apart(graph, [&](VertexId u, VertexId v, EdgeId e) {
        std::uint32_t w = std::max(taken.records()[u].first_word, taken.records()[v].first_word);
        std::uint64_t busy = taken.word(u, w) | taken.word(v, w);
        while (~busy == 0) ++w, busy = taken.word(u, w) | taken.word(v, w);
        const std::uint64_t bit = ~busy & (busy + 1);
        taken.take(u, w, bit);
        if (u != v) taken.take(v, w, bit);
        colour[e] = w * 64 + static_cast<VertexId>(std::countr_zero(bit));
    });
}

}  // namespace

Matchings first_fit(const Graph& graph) {
    Matchings found{Array<VertexId>(graph.edges()), 0};
    if (graph.edges() == 0) return found;
    // One bit mask per vertex is tried first. If it turns out to be too small, little time is lost: counting
    // the degrees to find out in advance would take longer.
    const bool low =
        std::adjacent_find(graph.row_offsets.begin(), graph.row_offsets.end(),
                           [](EdgeId a, EdgeId b) { return b - a > 64; }) == graph.row_offsets.end();
    if (!low || !colour_by_masks(graph, found.of_edge)) {
        const std::vector<EdgeId> degree = vertex_degrees(graph);
        const EdgeId largest = *std::max_element(degree.begin(), degree.end());
        if (2 * largest > max_vertices)
            throw Error(Failure::bad_input, "the degrees of the graph require up to " +
                                                std::to_string(2 * largest) +
                                                " matchings; at most 2^32 - 2 are supported");
        colour_by_records(graph, degree, found.of_edge);
    }
    VertexId most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
    for (EdgeId e = 0; e < graph.edges(); ++e) most = std::max(most, found.of_edge[e]);
    found.count = most + 1;
    return found;
}

}  // namespace lockstep::one_set
