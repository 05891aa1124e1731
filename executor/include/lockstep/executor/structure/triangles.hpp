// Counts triangles, i.e. sets of three vertices that are neighbours of each other.
//
// Every edge is kept at only one of its endpoints: at the one that comes later in the order of the vertices
// by descending degree (ties: by ID). The lists of kept neighbours are therefore short, with fewer than
// sqrt(2 edges) elements. A triangle w < v < u in this order is found once: at the edge (u, v), as a vertex w
// that both lists contain.
#pragma once

#include "lockstep/executor/csr/shares.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep::structure {

/// How the GPU intersects two lists of kept neighbours. By lists: a thread merges the two lists, and `shares`
/// determines how the edges of a vertex are distributed over threads (Pai, Pingali, "A compiler for
/// throughput optimization of graph algorithms on GPUs", OOPSLA 2016). By bits: a warp processes one vertex.
/// The first `hubs` vertices of the order are stored as bits, which are intersected by AND; the other
/// neighbours are looked up in a hash table in shared memory.
struct IntersectionOptions {
    Shares shares;
    bool bits = false;
    VertexId hubs = 4096;  ///< number of hubs: a multiple of hub_step, or 0
};
inline constexpr VertexId hub_step = 4096, max_hubs = 16384;
/// Returns the default number of hubs. Measured on an H200, a number twice as large is faster for R-MAT 21,
/// but slower for R-MAT 16.
inline VertexId usual_hubs(const Undirected& plan) {
    return plan.vertices < VertexId{1} << 19 ? hub_step : 2 * hub_step;
}

/// Maximum degree for which lists are merged, because no preparation pays off.
inline constexpr EdgeId few_neighbours = 32;

/// Splits 64-bit numbers into values of a Solution: two 32-bit words per number, the lower one first.
inline std::vector<std::uint32_t> as_words(const std::vector<std::uint64_t>& counts) {
    std::vector<std::uint32_t> words;
    words.reserve(2 * counts.size());
    for (const std::uint64_t count : counts) {
        words.push_back(static_cast<std::uint32_t>(count));
        words.push_back(static_cast<std::uint32_t>(count >> 32));
    }
    return words;
}
/// Combines values of a Solution to 64-bit numbers; the inverse of as_words().
inline std::vector<std::uint64_t> from_words(const std::vector<std::uint32_t>& words) {
    std::vector<std::uint64_t> counts;
    counts.reserve(words.size() / 2);
    for (std::size_t i = 0; i < words.size(); i += 2)
        counts.push_back(words[i] | std::uint64_t{words[i + 1]} << 32);
    return counts;
}
/// Reorders counts from the plan's positions to the graph's vertices, and splits them into words.
inline std::vector<std::uint32_t> words_by_vertex(const Undirected& plan,
                                                  const std::vector<std::uint64_t>& counts) {
    std::vector<std::uint64_t> by_vertex(counts.size());
    for (VertexId p = 0; p < plan.vertices; ++p) by_vertex[plan.vertex(p)] = counts[p];
    return as_words(by_vertex);
}

/// Returns a runner for the CPU. The values of its Solution are, split by as_words(), the number of triangles
/// or, if `by_vertex`, the number of triangles at each vertex. The plan must outlive the runner. The CPU has
/// only one algorithm, which uses bits for vertices with many neighbours.
Runner triangles_on_cpu(const Undirected& plan, bool by_vertex, int threads);
/// Returns a runner for the GPU. Throws Error (no_device) with the required and the free number of bytes if
/// the device has too little memory, and Error (bad_input) if there are 2^32 edges or more.
Runner triangles_on_cuda(const Undirected& plan, const IntersectionOptions& intersection, bool by_vertex);

}  // namespace lockstep::structure
