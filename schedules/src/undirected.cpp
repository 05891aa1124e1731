#include "lockstep/schedules/undirected.hpp"

namespace lockstep {

void enter_both_arcs(std::vector<Triple>& edges) {
    // The loop runs backwards, so that no edge is overwritten before it is read.
    std::size_t read = edges.size(), write = 2 * read;
    for (const Triple& e : edges) write -= e.row == e.col;
    edges.resize(write);
    while (read > 0) {
        const Triple e = edges[--read];
        if (e.row != e.col) edges[--write] = {e.col, e.row, e.value};
        edges[--write] = e;
    }
}

Graph undirected(const Graph& one_set) {
    const Array<VertexId> row = edge_rows(one_set);
    const Array<EdgeId> given = given_order(one_set);
    std::vector<Triple> edges(given.size());
#pragma omp parallel for schedule(static)
    for (EdgeId i = 0; i < given.size(); ++i)
        edges[i] = {row[given[i]], one_set.col[given[i]], one_set.weight(given[i])};
    enter_both_arcs(edges);
    return build_graph(std::move(edges), one_set.rows, one_set.cols,
                       {.shape = GraphShape::square, .directed = false, .weighted = !one_set.value.empty()});
}

}  // namespace lockstep
