#include "apps/sgd/biases.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lockstep/executor/ranks.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "lockstep/schedules/pages.hpp"

namespace lockstep::sgd {

namespace {

constexpr int turns = 10;

/// The training edges of the rows, where the graph has them.
class Rows {
public:
    explicit Rows(const SomeEdges& edges) : graph_(edges.graph), held_out_(edges.held_out) {}

    VertexId vertices() const { return graph_.rows; }
    /// f(column, weight) of each of a row.
    template <class F>
    void each(VertexId row, F f) const {
        const bool all = held_out_.empty();
        for (EdgeId e = graph_.row_offsets[row]; e < graph_.row_offsets[row + 1]; ++e) {
            if (all || !held_out_[e]) f(graph_.col[e], graph_.weight(e));
        }
    }

private:
    const Graph& graph_;
    const std::vector<bool>& held_out_;
};

/// Those of the columns, side by side.
class Cols {
public:
    explicit Cols(const SomeEdges& some) : vertices_(some.graph.cols), edges_(some.graph.edges()) {
        const Graph& graph = some.graph;
        const std::vector<bool>& held_out = some.held_out;
        Array<VertexId> rows = edge_rows(graph);
        offset_ = radix_partition(
            graph.edges(), EdgeId{graph.cols} + 1,
            [&](EdgeId e) { return held_out.empty() || !held_out[e] ? graph.col[e] : graph.cols; },
            [&](EdgeId e) {
                return Edge{rows[e], graph.weight(e)};
            },
            edges_.data());
        release(rows);
    }
    ~Cols() { release(edges_); }
    Cols(const Cols&) = delete;
    Cols& operator=(const Cols&) = delete;

    VertexId vertices() const { return vertices_; }
    template <class F>
    void each(VertexId col, F f) const {
        for (EdgeId i = offset_[col]; i < offset_[col + 1]; ++i) f(edges_[i].row, edges_[i].weight);
    }

private:
    struct Edge {
        VertexId row;
        float weight;
    };
    VertexId vertices_;
    std::vector<EdgeId> offset_;
    Array<Edge> edges_;
};

/// One side's vertices with their training edges, and what is fitted to them.
template <class Edges>
class Side {
public:
    explicit Side(const SomeEdges& some)
        : edges_(some),
          bias(edges_.vertices()),
          left_(bias.size()),
          squares_(bias.size()),
          used_(bias.size()) {}

    /// Sum over the edges of f(weight), vertex by vertex.
    template <class F>
    double sum_of(F f) {
        for_each_vertex([&](VertexId i) {
            double total = 0;
            edges_.each(i, [&](VertexId, float weight) { total += f(static_cast<double>(weight)); });
            left_[i] = total;
        });
        ranks().sum(left_);
        return sum(left_);
    }
    /// The biases anew, given those of the other side, the variance of the noise and of the biases
    /// themselves, which it estimates again. Returns the sum of squares that all of them leave.
    double fit(double mean, const std::vector<double>& other, double noise) {
        const double penalty = noise / variance;
        for_each_vertex([&](VertexId i) {
            double total = 0, total_squares = 0;
            EdgeId edges = 0;
            edges_.each(i, [&, of_other = other.data()](VertexId v, float weight) {
                const double x = static_cast<double>(weight) - mean - of_other[v];
                total += x, total_squares += x * x, ++edges;
            });
            const auto n = static_cast<double>(edges);
            const double b = n > 0 ? total / (n + penalty) : 0;
            bias[i] = b;
            left_[i] = std::max(0.0, total_squares - 2 * b * total + n * b * b);
            squares_[i] = n > 0 ? b * b + noise / (n + penalty) : 0;
            used_[i] = n > 0 ? n / (n + penalty) : 0;
        });
        // Each vertex has edges in one process alone, and all is 0 where it has none.
        for (std::vector<double>* of : {&bias, &left_, &squares_, &used_}) ranks().sum(*of);
        const auto seen = std::count_if(used_.begin(), used_.end(), [](double u) { return u > 0; });
        variance = std::max(sum(squares_) / static_cast<double>(seen), 1e-9 * noise);
        return sum(left_);
    }
    /// The edges' worth of what was fitted.
    double freedom() const { return sum(used_); }

private:
    /// A few at a time: a column may have a share of the edges that would keep the others waiting.
    template <class F>
    void for_each_vertex(F f) {
        const VertexId vertices = edges_.vertices();
#pragma omp parallel for schedule(dynamic, 8)
        for (VertexId i = 0; i < vertices; ++i) f(i);
    }
    static double sum(const std::vector<double>& parts) {
        return std::accumulate(parts.begin(), parts.end(), 0.0);
    }

    Edges edges_;

public:
    std::vector<double> bias;
    double variance = 0;

private:
    std::vector<double> left_, squares_, used_;
};

}  // namespace

BiasFit fit_biases(const Graph& graph, const std::vector<bool>& held_out) {
    return fit_biases({graph, held_out}, {graph, held_out});
}

BiasFit fit_biases(const SomeEdges& rows, const SomeEdges& cols) {
    const VertexId row_count = rows.graph.rows, col_count = rows.graph.cols;
    Side<Rows> row(rows);
    Side<Cols> col(cols);
    BiasFit fit{{0, std::vector<float>(row_count), std::vector<float>(col_count)}, 0};
    const double edges = row.sum_of([](double) { return 1.0; });
    if (edges == 0) return fit;
    fit.biases.mean = static_cast<float>(row.sum_of([](double w) { return w; }) / edges);
    const double mean{fit.biases.mean};
    const double variance = row.sum_of([&](double w) { return (w - mean) * (w - mean); }) / edges;
    fit.spread = std::sqrt(variance);
    if (variance == 0) return fit;
    double noise = variance / 2;
    row.variance = col.variance = variance / 4;
    for (int turn = 0; turn < turns; ++turn) {
        row.fit(mean, col.bias, noise);
        const double left = col.fit(mean, row.bias, noise);
        fit.spread = std::sqrt(left / edges);
        noise = std::max(left / std::max(1.0, edges - row.freedom() - col.freedom()), 1e-9 * variance);
    }
    std::copy(row.bias.begin(), row.bias.end(), fit.biases.row.begin());
    std::copy(col.bias.begin(), col.bias.end(), fit.biases.col.begin());
    return fit;
}

}  // namespace lockstep::sgd
