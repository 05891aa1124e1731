// Schedules of one set of vertices (Ends::vertices): an edge's ends are of one set, so it conflicts with every
// other edge of either vertex. What builders for two sides have in common with these is in the builders; the
// rest is here.
#pragma once

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep::one_set {

/// Maximal matchings by first-fit: each edge takes the smallest colour that is free at both ends, so that every
/// earlier matching has an edge at one of them. At most 2 D - 1 for the largest degree D, in practice about D.
/// O(edges + words scanned), about 20 bytes an edge.
Matchings first_fit(const Graph& graph);
/// At most D + 1 matchings of a graph without parallel edges, and at most min(D + m, 3 D / 2) if up to m edges join
/// the same two vertices, for the largest degree D (the theorems of Vizing and Shannon). Starts from first_fit and
/// inserts the edges of its later matchings by the fans of Misra and Gries (Information Processing Letters 41, 1992).
/// O(edges + s (D + vertices) log D) in the worst case for s edges inserted.
Matchings exact(const Graph& graph);

/// u + v mod vertices: whom a vertex meets in a round of such a tournament is the number less its own.
Schedule build_diag(const Graph& graph);
/// The same of blocks of vertices, two of which, or one alone, are a task.
Schedule build_blkdiag(const Graph& graph, VertexId block);
/// The same, two blocks on chip together: a tile, with matchings as steps.
Schedule build_tiled(const Graph& graph, const OnChipOptions& options);

/// Calls work(u, v, e) for every edge: all of them one after another that share a vertex, in an order that is a
/// function of the graph; others side by side. The vertices are in 64 blocks; first the edges inside of each, row
/// after row, then for x = 1, 2, … those between block b and block b xor x. 16 bytes an edge between blocks.
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
    std::vector<std::vector<Between>> between(blocks * blocks);  // of the first end's block, by x
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
