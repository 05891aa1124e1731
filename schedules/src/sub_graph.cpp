#include "sub_graph.hpp"

#include <numeric>
#include <utility>

#include "lockstep/schedules/grouping.hpp"

namespace lockstep {

namespace {

/// Returns the new number of every vertex. If `compact` is true, only the vertices used(0), …, used(edges -
/// 1) get numbers, in ascending order; otherwise every vertex keeps its number. `count` receives the number
/// of vertices that have one.
template <class Used>
std::vector<VertexId> numbers(VertexId vertices, EdgeId edges, bool compact, Used used, VertexId& count) {
    std::vector<VertexId> number(vertices, compact ? 0 : 1);
    if (compact) {
        for (EdgeId i = 0; i < edges; ++i) number[used(i)] = 1;
    }
    count = std::reduce(number.begin(), number.end());
    std::exclusive_scan(number.begin(), number.end(), number.begin(), VertexId{0});
    return number;
}

}  // namespace

SubGraph make_sub_graph(const Graph& whole, const Array<VertexId>& row, Array<EdgeId> edges, bool turned,
                        bool compact) {
    SubGraph sub;
    const EdgeId size = edges.size();
    if (turned) {
        sub.edge.resize(size);
        group_ids(
            size, whole.cols, [&](EdgeId i) { return whole.col[edges[i]]; },
            [&](EdgeId i) { return edges[i]; }, whole.edges(), sub.edge.data());
    } else {
        sub.edge = std::move(edges);
    }
    const auto outer = [&](EdgeId i) { return turned ? whole.col[sub.edge[i]] : row[sub.edge[i]]; };
    const auto inner = [&](EdgeId i) { return turned ? row[sub.edge[i]] : whole.col[sub.edge[i]]; };
    Graph& graph = sub.graph;
    const auto [rows, cols] = turned ? std::pair(whole.cols, whole.rows) : std::pair(whole.rows, whole.cols);
    const std::vector<VertexId> new_row = numbers(rows, size, compact, outer, graph.rows),
                                new_col = numbers(cols, size, compact, inner, graph.cols);
    graph.row_offsets.assign(std::size_t{graph.rows} + 1, 0);
    graph.col.resize(size);
    for (EdgeId i = 0; i < size; ++i) ++graph.row_offsets[new_row[outer(i)] + std::size_t{1}];
    std::partial_sum(graph.row_offsets.begin(), graph.row_offsets.end(), graph.row_offsets.begin());
#pragma omp parallel for schedule(static)
    for (EdgeId i = 0; i < size; ++i) graph.col[i] = new_col[inner(i)];
    return sub;
}

}  // namespace lockstep
