// Tests of the lists of edges by either side, and of the sums over them.
#include <omp.h>

#include "apps/sgd/edge_lists.hpp"
#include "sgd_support.hpp"

using namespace lockstep;
using namespace lockstep::sgd;

namespace {

using Sums = std::vector<EdgeLists::Sums>;

bool same(const Sums& a, const Sums& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.total == y.total && x.squares == y.squares;
    });
}

/// Returns a random graph with empty vertices, vertices of one edge, a hub on either side, and repeated
/// pairs.
Graph uneven(VertexId rows, VertexId cols, EdgeId edges, bool weighted) {
    std::uint32_t state = 1;
    const auto random = [&](VertexId below) {
        state = state * 1664525U + 1013904223U;
        return static_cast<VertexId>(std::uint64_t{state} * below >> 32);
    };
    std::vector<Triple> triples;
    for (EdgeId e = 0; e < edges; ++e) {
        const VertexId u = e % 9 == 0 ? rows / 2 : random(rows - 3),
                       v = e % 7 == 0 ? cols - 1 : random(cols - 5);
        triples.push_back({u, v, static_cast<float>(random(1000)) / 300});
    }
    triples.push_back({rows - 1, cols - 3, 1.5F});
    return build_graph(triples, rows, cols, {GraphShape::bipartite, true, weighted});
}

}  // namespace

TEST_CASE("sums over the lists of either side are those of the edges in order, to the bit") {
    struct Case {
        VertexId rows, cols;
        bool weighted;
    };
    // The cases have long and short lists, which have different code, and many parts. The last case has too
    // many vertices for the positions of both sides in a part to fit in 32 bits together.
    for (const Case& c : {Case{900, 700, true}, Case{60'000, 50'000, true}, Case{900, 50'000, false},
                          Case{300'000, 2'000'000, true}}) {
        const Graph graph = uneven(c.rows, c.cols, 150'000, c.weighted);
        std::vector<bool> held_out(graph.edges());
        for (EdgeId e = 0; e < graph.edges(); ++e) held_out[e] = e % 5 == 2;
        std::vector<double> row(c.rows), col(c.cols);
        for (VertexId u = 0; u < c.rows; ++u) row[u] = 1 / (3.0 + u);
        for (VertexId v = 0; v < c.cols; ++v) col[v] = 1 / (7.0 + v);
        for (const std::vector<bool>& held : {std::vector<bool>{}, held_out}) {
            Sums by_row(c.rows), by_col(c.cols);
            const double mean = 0.7;
            for (VertexId u = 0; u < c.rows; ++u) {
                for (const EdgeId e : graph.edges_of(u)) {
                    if (!held.empty() && held[e]) continue;
                    const auto add = [&](EdgeLists::Sums& to, double other) {
                        const double x = static_cast<double>(graph.weight(e)) - mean - other;
                        to.total += x, to.squares += x * x;
                    };
                    add(by_row[u], col[graph.col[e]]), add(by_col[graph.col[e]], row[u]);
                }
            }
            const int threads = omp_get_max_threads();
            for (const int n : {1, 3}) {
                omp_set_num_threads(n);
                const EdgeLists rows = EdgeLists::rows({graph, held}), cols = rows.transpose_edges(c.cols);
                Sums found_row(c.rows, {-1, -1}), found_col(c.cols, {-1, -1});
                rows.add_up(mean, col, found_row), cols.add_up(mean, row, found_col);
                CHECK(same(found_row, by_row));
                CHECK(same(found_col, by_col));
                CHECK(cols.edges() == rows.edges());
            }
            omp_set_num_threads(threads);
        }
    }
}

TEST_CASE("no edges have lists, too") {
    const Graph graph = build_graph({}, 3, 2, {GraphShape::bipartite, true, true});
    const EdgeLists rows = EdgeLists::rows({graph, {}}), cols = rows.transpose_edges(2);
    Sums sums(2, {-1, -1});
    cols.add_up(1, std::vector<double>{0, 0, 0}, sums);
    CHECK(same(sums, {{0, 0}, {0, 0}}));
    CHECK(cols.vertices() == 2);
}
