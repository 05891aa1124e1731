// Builders for graphs with one set of vertices (Ends::vertices), in which an edge conflicts with every other
// edge at either of its endpoints. The builders that treat both kinds of endpoints with the same code are not
// declared here.
#pragma once

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep::one_set {

/// Returns maximal matchings by first-fit: each edge gets the smallest colour that is free at both endpoints,
/// so every earlier matching has an edge at one of them. There are at most 2 D - 1 matchings, where D is the
/// maximum degree, and in practice about D. O(edges + words scanned) time, about 20 bytes per edge.
Matchings first_fit(const Graph& graph);
/// Returns few matchings, but not maximal ones. If the graph has no parallel edges, there are at most D + 1,
/// where D is the maximum degree (Vizing's theorem). If at most m edges join the same two vertices, there are
/// at most min(D + m, 3 D / 2) (theorems of Vizing and Shannon). A complete graph with an even number n of
/// vertices has n - 1, the minimum. For other graphs, the function starts from first_fit(), and moves the
/// edges of the matchings in excess to the others, with the fans of Misra and Gries (Information Processing
/// Letters 41, 1992). O(edges + s (D + vertices) log D) time in the worst case for s moved edges.
Matchings exact(const Graph& graph);

/// Builds the diagonal schedule: one phase per value r of (u + v) mod n, where u and v are the endpoints of
/// an edge and n is the number of vertices. In phase r, all edges of vertex u lead to the vertex (r - u) mod
/// n.
Schedule build_diag(const Graph& graph);
/// Builds the block-diagonal schedule, in which blocks of vertices take the place of single vertices. A task
/// contains the edges between two blocks, or the edges inside one block.
Schedule build_blkdiag(const Graph& graph, VertexId block);
/// Builds tiles: the edges between two blocks of vertices, or inside one block, if the blocks fit in shared
/// memory. The phases are those of build_blkdiag(), and the steps of a tile are matchings.
Schedule build_tiled(const Graph& graph, const SharedMemoryOptions& options);

/// Calls work(u, v, e) for every edge, in parallel for edges that share no vertex. Edges that share a vertex
/// are processed in a fixed order, which depends only on the graph. For this purpose, the vertices are
/// divided into 64 blocks. The edges within each block are processed first, in row-major order; then, for x =
/// 1, 2, …, the edges between blocks b and b xor x. 16 bytes per edge between blocks.
template <class Work>
void for_each_edge_apart(const Graph& graph, Work work) {
    constexpr EdgeId blocks = 64, worth_blocks = 1 << 18;
    const auto for_rows = [&](EdgeId first, EdgeId last, auto visit) {
        for (auto u = static_cast<VertexId>(first); u < last; ++u)
            for (const EdgeId e : graph.edges_of(u)) visit(u, graph.col[e], e);
    };
    if (graph.edges() < worth_blocks) return for_rows(0, graph.rows, work);
    const EdgeId side = (EdgeId{graph.rows} + blocks - 1) / blocks;
    struct EdgeBetweenBlocks {
        VertexId u, v;
        EdgeId e;
    };
    // The edges between block b and block b xor x, with first endpoint in b, are at index b * blocks + x.
    std::vector<std::vector<EdgeBetweenBlocks>> between(blocks * blocks);
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
                for (const EdgeBetweenBlocks& edge : between[own * blocks + x]) work(edge.u, edge.v, edge.e);
        }
    }
}

}  // namespace lockstep::one_set
