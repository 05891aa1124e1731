// Tests of Csr, on which all families are built: the arcs of a vertex in a range-for, by source and by
// target, and their rows.
#include <map>

#include "catch.hpp"
#include "lockstep/executor/csr/numbering.hpp"
#include "square_graphs.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Arcs = std::multimap<std::pair<VertexId, VertexId>, float>;

Csr csr_of(const Graph& graph) { return {Offsets(graph.row_offsets), graph.col, graph.value}; }
/// Returns every arc, and requires that edges and neighbours give the same arcs.
Arcs arcs_of(const Csr& csr, VertexId vertices, bool turned = false) {
    Arcs arcs;
    EdgeId edges = 0;
    for (VertexId u = 0; u < vertices; ++u) {
        EdgeId e = csr.edges_of(u).first;
        for (const VertexId v : csr.neighbours(u)) CHECK(csr.ends[e++] == v);
        CHECK(e == csr.edges_of(u).last);
        CHECK(csr.degree(u) == csr.neighbours(u).size());
        for (const EdgeId i : csr.edges_of(u)) {
            CHECK(i == edges++);
            CHECK(row_of(csr.offsets, i, 0, vertices) == u);
            const VertexId v = csr.ends[i];
            arcs.emplace(turned ? std::pair(v, u) : std::pair(u, v), csr.view().weight(i));
        }
    }
    CHECK(edges == csr.arcs());
    return arcs;
}

}  // namespace

TEST_CASE("a CSR has every arc once, by source and by target, sources ascending") {
    Graph graph = square_graph(7, {{0, 3}, {0, 3}, {0, 6}, {2, 0}, {2, 2}, {5, 3}, {5, 4}});
    for (const bool weighted : {false, true}) {
        if (weighted) graph.value = {1, 2, 3, 4, 5, 6, 7};
        const Csr out = csr_of(graph), in = transpose_arcs(out, graph.rows);
        const Arcs arcs = arcs_of(out, graph.rows);
        CHECK(arcs.size() == graph.edges());
        CHECK(arcs == arcs_of(in, graph.rows, true));
        for (VertexId v = 0; v < graph.rows; ++v)
            CHECK(std::is_sorted(in.neighbours(v).begin(), in.neighbours(v).end()));
    }
    CHECK(transpose_arcs(Csr{Offsets(std::vector<EdgeId>{0}), {}, {}}, 0).arcs() == 0);
}

TEST_CASE("vertices by their place in an order have the arcs of the vertices there") {
    const Graph graph = square_graph(4, {{0, 1}, {0, 2}, {3, 0}});
    const std::vector<VertexId> order{3, 1, 0, 2};
    const Numbering numbered(graph, order);
    const Offsets out = numbered.out_offsets();
    for (VertexId p = 0; p < 4; ++p) {
        CHECK(numbered.position(numbered.vertex(p)) == p);
        CHECK(out.view().degree(p) == edges_of(graph.row_offsets, order[p]).size());
    }
    const std::vector<VertexId> given;
    CHECK(Numbering(graph, given).position(2) == 2);
}
