#include "apps/sgd/biases.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lockstep/executor/ranks.hpp"

namespace lockstep::sgd {

namespace {

constexpr int turns = 10;

/// One side's vertices with their training edges, and what is fitted to them.
class Side {
public:
    explicit Side(const EdgeLists& edges)
        : edges_(edges),
          bias(edges.vertices()),
          sums_(bias.size()),
          left_(bias.size()),
          squares_(bias.size()),
          used_(bias.size()) {}

    /// The sums over the edges of what the mean and the biases of the other side leave.
    void add_up(double mean, const std::vector<double>& other) { edges_.add_up(mean, other, sums_); }
    /// Over all vertices of all processes.
    template <class F>
    double sum_of(F f) {
        const VertexId vertices = edges_.vertices();
        for (VertexId i = 0; i < vertices; ++i) left_[i] = f(i);
        ranks().sum(left_);
        return std::accumulate(left_.begin(), left_.end(), 0.0);
    }
    double edges() {
        return sum_of([&](VertexId i) { return static_cast<double>(edges_.edges(i)); });
    }
    double total() {
        return sum_of([&](VertexId i) { return sums_[i].total; });
    }
    double squares() {
        return sum_of([&](VertexId i) { return sums_[i].squares; });
    }
    /// The biases anew from these sums, given the variance of the noise and of the biases themselves, which
    /// it estimates again. Returns the sum of squares that all of them leave.
    double fit(double noise) {
        const double penalty = noise / variance;
        const VertexId vertices = edges_.vertices();
#pragma omp parallel for schedule(static)
        for (VertexId i = 0; i < vertices; ++i) {
            const auto [total, total_squares] = sums_[i];
            const auto n = static_cast<double>(edges_.edges(i));
            const double b = n > 0 ? total / (n + penalty) : 0;
            bias[i] = b;
            left_[i] = std::max(0.0, total_squares - 2 * b * total + n * b * b);
            squares_[i] = n > 0 ? b * b + noise / (n + penalty) : 0;
            used_[i] = n > 0 ? n / (n + penalty) : 0;
        }
        // Each vertex has edges in one process alone, and all is 0 where it has none.
        for (std::vector<double>* of : {&bias, &left_, &squares_, &used_}) ranks().sum(*of);
        double left = 0, squares = 0;
        VertexId seen = 0;
        freedom = 0;
        for (VertexId i = 0; i < vertices; ++i) {
            left += left_[i], squares += squares_[i], freedom += used_[i];
            seen += VertexId{used_[i] > 0};
        }
        variance = std::max(squares / static_cast<double>(seen), 1e-9 * noise);
        return left;
    }

private:
    const EdgeLists& edges_;

public:
    std::vector<double> bias;
    double variance = 0;
    double freedom = 0;  ///< the edges' worth of what was fitted

private:
    std::vector<EdgeLists::Sums> sums_;
    std::vector<double> left_, squares_, used_;
};

BiasFit fit(const EdgeLists& row_edges, const EdgeLists& col_edges) {
    Side row(row_edges), col(col_edges);
    BiasFit fit{{0, std::vector<float>(row.bias.size()), std::vector<float>(col.bias.size())}};
    const double edges = row.edges();
    if (edges == 0) return fit;
    row.add_up(0, col.bias);
    fit.biases.mean = static_cast<float>(row.total() / edges);
    const double mean{fit.biases.mean};
    row.add_up(mean, col.bias);
    const double variance = row.squares() / edges;
    fit.spread = fit.deviation = std::sqrt(variance);
    if (variance == 0) return fit;
    double noise = variance / 2;
    row.variance = col.variance = variance / 4;
    for (int turn = 0; turn < turns; ++turn) {
        if (turn > 0) row.add_up(mean, col.bias);
        row.fit(noise);
        col.add_up(mean, row.bias);
        const double left = col.fit(noise);
        fit.spread = std::sqrt(left / edges);
        noise = std::max(left / std::max(1.0, edges - row.freedom - col.freedom), 1e-9 * variance);
    }
    std::copy(row.bias.begin(), row.bias.end(), fit.biases.row.begin());
    std::copy(col.bias.begin(), col.bias.end(), fit.biases.col.begin());
    return fit;
}

}  // namespace

BiasFit fit_biases(const SomeEdges& rows, const SomeEdges& cols, const Factors* factors, std::uint32_t rank) {
    const auto lists = [&](const SomeEdges& some) {
        EdgeLists of = EdgeLists::rows(some);
        if (factors) of.take_off(factors->row, factors->col, stride_of(rank));
        return of;
    };
    const EdgeLists row_edges = lists(rows);
    const EdgeLists col_edges = &rows.graph == &cols.graph ? row_edges.transposed(rows.graph.cols)
                                                           : lists(cols).transposed(cols.graph.cols);
    return fit(row_edges, col_edges);
}

Graph all_of_some_columns(const SomeEdges& rows) {
    struct Edge {
        VertexId row, col;
        float value;
    };
    const Graph& graph = rows.graph;
    std::vector<std::size_t> owner(graph.cols);
    for (int r = 0; r < ranks().count(); ++r) {
        for (EdgeId v = ranks().share(graph.cols, r); v < ranks().share(graph.cols, r + 1); ++v)
            owner[v] = static_cast<std::size_t>(r);
    }
    std::vector<std::vector<Edge>> given(static_cast<std::size_t>(ranks().count()));
    for (VertexId u = 0; u < graph.rows; ++u) {
        for (const EdgeId e : graph.edges_of(u)) {
            if (rows.kept(e)) given[owner[graph.col[e]]].push_back({u, graph.col[e], graph.weight(e)});
        }
    }
    Graph own;
    own.rows = graph.rows, own.cols = graph.cols;
    own.row_offsets.assign(EdgeId{graph.rows} + 1, 0);
    const std::vector<std::vector<Edge>> dealt = ranks().deal(given);
    EdgeId edges = 0;
    for (const auto& some : dealt) edges += some.size();
    own.col.resize(edges), own.value.resize(edges);
    EdgeId at = 0;
    for (const auto& some : dealt) {
        for (const Edge& edge : some) {
            ++own.row_offsets[EdgeId{edge.row} + 1];
            own.col[at] = edge.col, own.value[at++] = edge.value;
        }
    }
    for (EdgeId u = 0; u < own.rows; ++u) own.row_offsets[u + 1] += own.row_offsets[u];
    return own;
}

BiasFit fit_biases(const Graph& graph, const std::vector<bool>& held_out) {
    return fit_biases({graph, held_out}, {graph, held_out});
}

}  // namespace lockstep::sgd
