#include "apps/sgd/biases.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "lockstep/executor/ranks.hpp"

namespace lockstep::sgd {

namespace {

constexpr int turns = 10;
/// A turn that takes less than this share off the spread is the last.
constexpr double little = 1e-5;

/// The sum of f(0), ..., f(count - 1), in blocks, so that it is the same for any number of threads.
template <class F>
double sum_over(VertexId count, F f) {
    constexpr VertexId block = 4096;
    const VertexId blocks = (count + block - 1) / block;
    std::vector<double> sums(blocks);
#pragma omp parallel for schedule(static)
    for (VertexId b = 0; b < blocks; ++b) {
        for (VertexId i = b * block; i < std::min(count, (b + 1) * block); ++i) sums[b] += f(i);
    }
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

/// One side's vertices with their training edges, and what is fitted to them.
class Side {
public:
    explicit Side(const EdgeLists& edges)
        : edges_(edges),
          bias(edges.vertices()),
          sums_(bias.size()),
          left_(bias.size()),
          squares_(bias.size()),
          used_(bias.size()) {
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < bias.size(); ++i) bias[i] = 0;
    }

    /// The sums over the edges of what the mean and the biases of the other side leave.
    void add_up(double mean, std::span<const double> other) { edges_.add_up(mean, other, sums_); }
    /// Over all vertices of all processes.
    template <class F>
    double sum_of(F f) {
        const VertexId vertices = edges_.vertices();
#pragma omp parallel for schedule(static)
        for (VertexId i = 0; i < vertices; ++i) left_[i] = f(i);
        ranks().sum(std::span(left_));
        return sum_over(vertices, [&](VertexId i) { return left_[i]; });
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
        for (Array<double>* of : {&bias, &left_, &squares_, &used_}) ranks().sum(std::span(*of));
        const double seen = sum_over(vertices, [&](VertexId i) { return used_[i] > 0 ? 1.0 : 0.0; });
        freedom = sum_over(vertices, [&](VertexId i) { return used_[i]; });
        variance = std::max(sum_over(vertices, [&](VertexId i) { return squares_[i]; }) / seen, 1e-9 * noise);
        return sum_over(vertices, [&](VertexId i) { return left_[i]; });
    }

private:
    const EdgeLists& edges_;

public:
    Array<double> bias;
    double variance = 0;
    double freedom = 0;  ///< the edges' worth of what was fitted

private:
    Array<EdgeLists::Sums> sums_;
    Array<double> left_, squares_, used_;
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
        const double before = std::exchange(fit.spread, std::sqrt(left / edges));
        if (before - fit.spread < little * before) break;
        noise = std::max(left / std::max(1.0, edges - row.freedom - col.freedom), 1e-9 * variance);
    }
    std::copy(row.bias.begin(), row.bias.end(), fit.biases.row.begin());
    std::copy(col.bias.begin(), col.bias.end(), fit.biases.col.begin());
    return fit;
}

}  // namespace

BiasFitter::BiasFitter(const SomeEdges& rows, const SomeEdges& cols)
    : row_edges_(EdgeLists::rows(rows)),
      col_edges_(&rows.graph == &cols.graph ? row_edges_.transposed(rows.graph.cols)
                                            : EdgeLists::rows(cols).transposed(cols.graph.cols)) {}

BiasFit BiasFitter::fit() const { return lockstep::sgd::fit(row_edges_, col_edges_); }

BiasFit BiasFitter::fit(const Factors& factors, std::uint32_t rank) {
    row_edges_.take_off(factors.row, factors.col, stride_of(rank));
    col_edges_.take_off(factors.col, factors.row, stride_of(rank));
    return fit();
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
    return BiasFitter({graph, held_out}, {graph, held_out}).fit();
}

}  // namespace lockstep::sgd
