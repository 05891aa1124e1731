#include "lockstep/schedules/graph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "grouping.hpp"

namespace lockstep {

namespace {

/// Sorts the triples row-major, columns ascending, equal pairs in input order. Returns the
/// permutation sorted position -> input position.
std::vector<EdgeId> row_major_permutation(const std::vector<Triple>& triples, VertexId rows, VertexId cols) {
    // Two stable counting sorts, least significant key first: O(edges + rows + cols).
    std::vector<EdgeId> by_col = identity_order(triples.size());
    group_stable(by_col, cols, [&](EdgeId e) { return triples[e].col; });
    group_stable(by_col, rows, [&](EdgeId e) { return triples[e].row; });
    return by_col;
}

/// Weight of a run of equal pairs [first, last) of sorted positions.
float merged_value(const std::vector<Triple>& triples, const EdgeId* first, const EdgeId* last, RepeatPolicy policy) {
    switch (policy) {
        case RepeatPolicy::last: return triples[last[-1]].value;
        case RepeatPolicy::sum:
        case RepeatPolicy::mean: {
            double sum = 0;
            for (const EdgeId* p = first; p != last; ++p) sum += triples[*p].value;
            return static_cast<float>(policy == RepeatPolicy::sum ? sum : sum / static_cast<double>(last - first));
        }
        default: return triples[*first].value;
    }
}

}  // namespace

Graph build_graph(std::vector<Triple> triples, VertexId rows, VertexId cols, GraphShape shape, bool directed,
                  bool weighted, RepeatPolicy policy, EdgeId* repeats) {
    for (const Triple& t : triples) {
        if (t.row >= rows || t.col >= cols) {
            throw Error(Failure::bad_input, "edge (" + std::to_string(t.row) + ", " + std::to_string(t.col) +
                                                ") lies outside the " + std::to_string(rows) + " x " +
                                                std::to_string(cols) + " matrix");
        }
    }
    std::vector<EdgeId> sorted = row_major_permutation(triples, rows, cols);

    Graph graph;
    graph.rows = rows;
    graph.cols = cols;
    graph.shape = shape;
    graph.directed = directed;
    graph.row_offsets.assign(static_cast<std::size_t>(rows) + 1, 0);
    graph.col.reserve(triples.size());
    if (weighted) graph.value.reserve(triples.size());

    const bool merge = policy != RepeatPolicy::keep;
    EdgeId extra = 0;
    std::size_t kept = 0;  // sorted[0, kept) become the input positions of the edges
    for (std::size_t i = 0; i < sorted.size();) {
        const Triple& t = triples[sorted[i]];
        std::size_t end = i + 1;
        while (end < sorted.size() && triples[sorted[end]].row == t.row && triples[sorted[end]].col == t.col) ++end;
        extra += end - i - 1;
        if (policy == RepeatPolicy::refuse && end - i > 1) {
            throw Error(Failure::bad_input, "the pair (" + std::to_string(t.row) + ", " + std::to_string(t.col) +
                                                ") occurs " + std::to_string(end - i) +
                                                " times, but repeated pairs are refused");
        }
        const std::size_t take = merge ? 1 : end - i;
        for (std::size_t j = 0; j < take; ++j) {
            graph.col.push_back(t.col);
            if (weighted) {
                graph.value.push_back(merge ? merged_value(triples, &sorted[i], sorted.data() + end, policy)
                                            : triples[sorted[i + j]].value);
            }
            sorted[kept++] = sorted[i + j];
        }
        graph.row_offsets[t.row + 1] += take;
        i = end;
    }
    std::partial_sum(graph.row_offsets.begin(), graph.row_offsets.end(), graph.row_offsets.begin());
    if (repeats) *repeats = extra;

    sorted.resize(kept);
    if (!std::is_sorted(sorted.begin(), sorted.end())) {
        const EdgeId input_size = triples.size();
        std::vector<Triple>().swap(triples);
        graph.input_order = identity_order(kept);
        if (kept == input_size) {  // a permutation: invert it directly
            for (EdgeId e = 0; e < kept; ++e) graph.input_order[sorted[e]] = e;
        } else {
            std::sort(graph.input_order.begin(), graph.input_order.end(),
                      [&](EdgeId a, EdgeId b) { return sorted[a] < sorted[b]; });
        }
    }
    return graph;
}

void validate(const Graph& graph) {
    const auto refuse = [](const std::string& what) { throw Error(Failure::bad_input, "invalid graph: " + what); };
    if (graph.rows > max_vertices || graph.cols > max_vertices) refuse("too many vertices");
    if (graph.shape == GraphShape::square && graph.rows != graph.cols) refuse("square, but rows and columns differ");
    if (graph.row_offsets.size() != static_cast<std::size_t>(graph.rows) + 1) refuse("row offsets do not fit the rows");
    if (graph.row_offsets.front() != 0 || graph.row_offsets.back() != graph.edges()) refuse("row offsets do not cover the edges");
    for (VertexId u = 0; u < graph.rows; ++u) {
        const EdgeId first = graph.row_offsets[u], last = graph.row_offsets[u + 1];
        if (last < first) refuse("row offsets decrease at row " + std::to_string(u));
        for (EdgeId e = first; e < last; ++e) {
            if (graph.col[e] >= graph.cols) refuse("column out of range at edge " + std::to_string(e));
            if (e > first && graph.col[e] < graph.col[e - 1]) refuse("columns not ascending in row " + std::to_string(u));
        }
    }
    if (!graph.value.empty() && graph.value.size() != graph.edges()) refuse("one value an edge expected");
    for (const float v : graph.value) {
        if (!std::isfinite(v)) refuse("a weight is not finite");
    }
    if (!graph.input_order.empty()) {
        if (graph.input_order.size() != graph.edges()) refuse("the input order is not a permutation");
        std::vector<bool> seen(graph.edges());
        for (const EdgeId e : graph.input_order) {
            if (e >= graph.edges() || seen[e]) refuse("the input order is not a permutation");
            seen[e] = true;
        }
    }
}

std::vector<VertexId> edge_rows(const Graph& graph) {
    std::vector<VertexId> row(graph.edges());
    for (VertexId u = 0; u < graph.rows; ++u) {
        std::fill(row.begin() + static_cast<std::ptrdiff_t>(graph.row_offsets[u]),
                  row.begin() + static_cast<std::ptrdiff_t>(graph.row_offsets[u + 1]), u);
    }
    return row;
}

std::vector<EdgeId> row_degrees(const Graph& graph) {
    std::vector<EdgeId> degree(graph.rows);
    for (VertexId u = 0; u < graph.rows; ++u) degree[u] = graph.row_offsets[u + 1] - graph.row_offsets[u];
    return degree;
}

std::vector<EdgeId> col_degrees(const Graph& graph) {
    std::vector<EdgeId> degree(graph.cols);
    for (const VertexId v : graph.col) ++degree[v];
    return degree;
}

MaxDegree max_degree(const Graph& graph) {
    const auto largest = [](const std::vector<EdgeId>& d) { return d.empty() ? 0 : *std::max_element(d.begin(), d.end()); };
    return {largest(row_degrees(graph)), largest(col_degrees(graph))};
}

std::vector<EdgeId> given_order(const Graph& graph) {
    return graph.input_order.empty() ? identity_order(graph.edges()) : graph.input_order;
}

}  // namespace lockstep
