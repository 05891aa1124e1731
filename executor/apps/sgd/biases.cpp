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

/// One side's vertices with their training edges, and what is fitted to them.
class Side {
public:
    ~Side() { release(edges_); }
    Side(Side&&) = default;
    Side& operator=(Side&&) = delete;

    static Side of_rows(const SomeEdges& edges) {
        const Graph& graph = edges.graph;
        const std::vector<bool>& held_out = edges.held_out;
        Side side(graph.rows, graph.edges());
        const auto each_kept = [&](VertexId u, auto f) {
            for (EdgeId e = graph.row_offsets[u]; e < graph.row_offsets[u + 1]; ++e) {
                if (held_out.empty() || !held_out[e]) f(e);
            }
        };
        side.offset_.assign(EdgeId{graph.rows} + 1, 0);
#pragma omp parallel for schedule(dynamic, 256)
        for (VertexId u = 0; u < graph.rows; ++u) {
            EdgeId count = 0;
            each_kept(u, [&](EdgeId) { ++count; });
            side.offset_[u + 1] = count;
        }
        std::partial_sum(side.offset_.begin(), side.offset_.end(), side.offset_.begin());
#pragma omp parallel for schedule(dynamic, 256)
        for (VertexId u = 0; u < graph.rows; ++u) {
            EdgeId next = side.offset_[u];
            each_kept(u, [&](EdgeId e) { side.edges_[next++] = {graph.col[e], graph.weight(e)}; });
        }
        return side;
    }
    static Side of_cols(const SomeEdges& edges) {
        const Graph& graph = edges.graph;
        const std::vector<bool>& held_out = edges.held_out;
        Side side(graph.cols, graph.edges());
        Array<VertexId> rows = edge_rows(graph);
        side.offset_ = radix_partition(
            graph.edges(), EdgeId{graph.cols} + 1,
            [&](EdgeId e) { return held_out.empty() || !held_out[e] ? graph.col[e] : graph.cols; },
            [&](EdgeId e) {
                return Edge{rows[e], graph.weight(e)};
            },
            side.edges_.data());
        release(rows);
        return side;
    }

    EdgeId edges() const { return ranks().sum(offset_[bias.size()]); }
    /// Sum over the edges of f(weight), vertex by vertex.
    template <class F>
    double sum_of(F f) {
        for_each_vertex([&](std::size_t i, const auto& edges) {
            left_[i] = 0;
            for (const Edge& e : edges) left_[i] += f(static_cast<double>(e.weight));
        });
        ranks().sum(left_);
        return sum(left_);
    }
    /// The biases anew, given those of the other side, the variance of the noise and of the biases
    /// themselves, which it estimates again. Returns the sum of squares that all of them leave.
    double fit(double mean, const std::vector<double>& other, double noise) {
        const double penalty = noise / variance;
        for_each_vertex([&](std::size_t i, const auto& edges) {
            double total = 0, total_squares = 0;
            for (const Edge& e : edges) {
                const double x = static_cast<double>(e.weight) - mean - other[e.other];
                total += x, total_squares += x * x;
            }
            const auto n = static_cast<double>(edges.size());
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
    struct Edge {
        VertexId other;
        float weight;
    };
    Side(VertexId vertices, EdgeId edges)
        : edges_(edges), bias(vertices), left_(vertices), squares_(vertices), used_(vertices) {}
    /// A few at a time: a column may have a share of the edges that would keep the others waiting.
    template <class F>
    void for_each_vertex(F f) {
#pragma omp parallel for schedule(dynamic, 8)
        for (std::size_t i = 0; i < bias.size(); ++i)
            f(i, std::span<const Edge>(edges_.data() + offset_[i], offset_[i + 1] - offset_[i]));
    }
    static double sum(const std::vector<double>& parts) {
        return std::accumulate(parts.begin(), parts.end(), 0.0);
    }

    std::vector<EdgeId> offset_;
    Array<Edge> edges_;

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
    Side row = Side::of_rows(rows), col = Side::of_cols(cols);
    BiasFit fit{{0, std::vector<float>(row_count), std::vector<float>(col_count)}, 0};
    const auto edges = static_cast<double>(row.edges());
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
