// Triangles: how many sets of three vertices are neighbours of each other.
//
// Every edge is kept once, at the end that comes later in an order of the vertices by degree, largest first
// (ties by id). So the lists of kept neighbours are short (below sqrt(2 edges)), and a triangle w < v < u, by
// that order, is found once: at its edge (u, v), as a w in both lists.
#pragma once

#include "lockstep/executor/csr/shares.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep::structure {

/// How the GPU meets two lists. By lists: a thread merges them, and the balance says who takes the edges of a
/// vertex (Pai, Pingali, "A compiler for throughput optimization of graph algorithms on GPUs", OOPSLA 2016).
/// By bits: a warp takes a vertex; the first `hubs` vertices of the order are bits of each list, met by and;
/// the others are looked up in a table on chip.
struct Meeting {
    Shares shares;
    bool bits = false;
    VertexId hubs = 4096;  ///< a multiple of it, or 0
};
inline constexpr VertexId hub_step = 4096, most_hubs = 16384;
/// On an H200 twice as many were faster on R-MAT 21, and slower on R-MAT 16.
inline VertexId usual_hubs(const Undirected& plan) {
    return plan.vertices < VertexId{1} << 19 ? hub_step : 2 * hub_step;
}

/// Largest degree up to which nothing is worth preparing: lists are merged.
inline constexpr EdgeId few_neighbours = 32;

/// Numbers of 64 bits as the values of a Solution, two words each, the lower one first; and back.
inline std::vector<std::uint32_t> as_words(const std::vector<std::uint64_t>& counts) {
    std::vector<std::uint32_t> words;
    words.reserve(2 * counts.size());
    for (const std::uint64_t count : counts) {
        words.push_back(static_cast<std::uint32_t>(count));
        words.push_back(static_cast<std::uint32_t>(count >> 32));
    }
    return words;
}
inline std::vector<std::uint64_t> from_words(const std::vector<std::uint32_t>& words) {
    std::vector<std::uint64_t> counts;
    counts.reserve(words.size() / 2);
    for (std::size_t i = 0; i < words.size(); i += 2)
        counts.push_back(words[i] | std::uint64_t{words[i + 1]} << 32);
    return counts;
}
/// Counts by position of the plan as words by vertex of the graph.
inline std::vector<std::uint32_t> words_by_vertex(const Undirected& plan,
                                                  const std::vector<std::uint64_t>& counts) {
    std::vector<std::uint64_t> by_vertex(counts.size());
    for (VertexId p = 0; p < plan.vertices; ++p) by_vertex[plan.vertex(p)] = counts[p];
    return as_words(by_vertex);
}

/// The values of a Solution are the number of triangles, or with `by_vertex` those of each vertex, as words.
/// The plan must live as long as the runner. A CPU has one way, by bits where a vertex has many neighbours.
Runner triangles_on_cpu(const Undirected& plan, bool by_vertex, int threads);
/// Throws Error (no_device) with both numbers where the device has too little memory, and Error (bad_input)
/// from 2^32 edges up.
Runner triangles_on_cuda(const Undirected& plan, const Meeting& meeting, bool by_vertex);

}  // namespace lockstep::structure
