// Schedules for one set of vertices (Ends::vertices): both endpoints of an edge belong to the same set, so an
// edge conflicts with every other edge of either vertex. Builders that also support two sides share code in
// their own files; the rest is declared here.
#pragma once

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep::one_set {

/// Returns maximal matchings by first-fit: each edge gets the smallest colour that is free at both endpoints,
/// so every earlier matching has an edge at one of them. There are at most 2 D - 1 for maximum degree D, in
/// practice about D. O(edges + words scanned), about 20 bytes per edge.
Matchings first_fit(const Graph& graph);
/// Returns at most D + 1 matchings of a graph without parallel edges, where D is the maximum degree, and at
/// most min(D + m, 3 D / 2) if up to m edges join the same two vertices (theorems of Vizing and Shannon).
/// Starts from first_fit and inserts the edges of its later matchings with the fans of Misra and Gries
/// (Information Processing Letters 41, 1992). O(edges + s (D + vertices) log D) in the worst case for s
/// inserted edges.
Matchings exact(const Graph& graph);

/// Builds one phase per value of u + v mod vertices. In such a round, vertex u meets only the vertex whose
/// number is the round's minus u (mod vertices).
Schedule build_diag(const Graph& graph);
/// Builds the same for blocks of vertices. A task is a pair of blocks, or a single block that meets itself.
Schedule build_blkdiag(const Graph& graph, VertexId block);
/// Builds the same for blocks that fit in shared memory. A tile is a pair of blocks; its steps are matchings.
Schedule build_tiled(const Graph& graph, const OnChipOptions& options);

/// Calls work(u, v, e) for every edge in parallel. Edges that share a vertex are processed one after another,
/// in an order that is a function of the graph. The vertices are divided into 64 blocks. The edges within
/// each block come first, in row-major order; then, for x = 1, 2, …, the edges between block b and block b
/// xor x. 16 bytes per edge between blocks.
template <class Work>
void for_each_edge_apart(const Graph& graph, Work work) {
    constexpr EdgeId blocks = 64, worth_blocks = 1 << 18;
    const auto for_rows = [&](EdgeId first, EdgeId last, auto visit) {
        for (auto u = static_cast<VertexId>(first); u < last; ++u)
            for (const EdgeId e : graph.edges_of(u)) visit(u, graph.col[e], e);
    };
    if (graph.edges() < worth_blocks) return for_rows(0, graph.rows, work);
    const EdgeId side = (EdgeId{graph.rows} + blocks - 1) / blocks;
    struct Between {
        VertexId u, v;
        EdgeId e;
    };
    std::vector<std::vector<Between>> between(blocks * blocks);  // [block of the first endpoint * blocks + x]
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic, 1)
    for (EdgeId b = 0; b < blocks; ++b) {
        errors.run([&] {
            const EdgeId first = std::min<EdgeId>(b * side, graph.rows),
                         last = std::min<EdgeId>(first + side, graph.rows);
            for_rows(first, last, [&](VertexId u, VertexId v, EdgeId e) {
                if (v >= first && v < last)
                    work(u, v, e);
                else
                    between[b * blocks + (v / side ^ b)].push_back({u, v, e});
            });
        });
    }
    errors.rethrow();
    for (EdgeId x = 1; x < blocks; ++x) {
#pragma omp parallel for schedule(dynamic, 1)
        for (EdgeId b = 0; b < blocks; ++b) {
            if ((b ^ x) < b) continue;
            for (const EdgeId own : {b, b ^ x})
                for (const Between& edge : between[own * blocks + x]) work(edge.u, edge.v, edge.e);
        }
    }
}

}  // namespace lockstep::one_set
