// Triangles: the number of sets of three vertices that are neighbours of each other.
//
// Every edge is kept once, at its endpoint that comes later in the order of the vertices by descending degree
// (ties: by ID). So the lists of kept neighbours are short (less than sqrt(2 edges)), and a triangle w < v <
// u, in this order, is found once: at its edge (u, v), as a vertex w of both lists.
#pragma once

#include "lockstep/executor/csr/shares.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep::structure {

/// How the GPU intersects two lists. By lists: a thread merges them, and `shares` distributes the edges of a
/// vertex (Pai, Pingali, "A compiler for throughput optimization of graph algorithms on GPUs", OOPSLA 2016).
/// By bits: a warp takes a vertex; the first `hubs` vertices of the order are bits of each list, which are
/// intersected by AND; the other neighbours are looked up in a table in shared memory.
struct Meeting {
    Shares shares;
    bool bits = false;
    VertexId hubs = 4096;  ///< multiple of hub_step, or 0
};
inline constexpr VertexId hub_step = 4096, most_hubs = 16384;
/// Returns the default number of hubs. Twice as many were faster on R-MAT 21 on an H200, and slower on R-MAT
/// 16.
inline VertexId usual_hubs(const Undirected& plan) {
    return plan.vertices < VertexId{1} << 19 ? hub_step : 2 * hub_step;
}

/// Largest degree up to which lists are merged, because no preparation pays off.
inline constexpr EdgeId few_neighbours = 32;

/// Converts 64-bit numbers to the values of a Solution: two words per number, the lower one first.
inline std::vector<std::uint32_t> as_words(const std::vector<std::uint64_t>& counts) {
    std::vector<std::uint32_t> words;
    words.reserve(2 * counts.size());
    for (const std::uint64_t count : counts) {
        words.push_back(static_cast<std::uint32_t>(count));
        words.push_back(static_cast<std::uint32_t>(count >> 32));
    }
    return words;
}
/// Converts the values of a Solution back to 64-bit numbers.
inline std::vector<std::uint64_t> from_words(const std::vector<std::uint32_t>& words) {
    std::vector<std::uint64_t> counts;
    counts.reserve(words.size() / 2);
    for (std::size_t i = 0; i < words.size(); i += 2)
        counts.push_back(words[i] | std::uint64_t{words[i + 1]} << 32);
    return counts;
}
/// Converts counts, indexed by position in the plan, to words, indexed by vertex of the graph.
inline std::vector<std::uint32_t> words_by_vertex(const Undirected& plan,
                                                  const std::vector<std::uint64_t>& counts) {
    std::vector<std::uint64_t> by_vertex(counts.size());
    for (VertexId p = 0; p < plan.vertices; ++p) by_vertex[plan.vertex(p)] = counts[p];
    return as_words(by_vertex);
}

/// Builds a runner. The values of its Solution are, as words, the number of triangles or, with `by_vertex`,
/// the number of triangles of each vertex. The plan must live as long as the runner. A CPU has only one
/// algorithm, which uses bits for vertices with many neighbours.
Runner triangles_on_cpu(const Undirected& plan, bool by_vertex, int threads);
/// Builds a runner for the GPU. Throws Error (no_device), with the needed and the free bytes, if the device
/// has too little memory, and Error (bad_input) if there are 2^32 edges or more.
Runner triangles_on_cuda(const Undirected& plan, const Meeting& meeting, bool by_vertex);

}  // namespace lockstep::structure
