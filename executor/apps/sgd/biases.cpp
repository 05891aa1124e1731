#include "apps/sgd/biases.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "lockstep/executor/ranks.hpp"

namespace lockstep::sgd {

namespace {

constexpr int turns = 10;
/// A fit ends when fitting both sides once reduces the standard deviation of the residuals by less than this
/// share.
constexpr double little = 1e-5;

/// Returns several sums over the vertices of one side; f(i) returns the contributions of vertex i. The sums
/// are computed from sums over blocks of vertices of a fixed size, so that they are bitwise identical for any
/// number of threads.
template <std::size_t count, class F>
std::array<double, count> sums_over(VertexId vertices, F f) {
    constexpr VertexId block = 4096;
    const VertexId blocks = (vertices + block - 1) / block;
    std::vector<std::array<double, count>> of_block(blocks);
#pragma omp parallel for schedule(static)
    for (VertexId b = 0; b < blocks; ++b) {
        for (VertexId i = b * block; i < std::min(vertices, (b + 1) * block); ++i) {
            const std::array<double, count> added = f(i);
            for (std::size_t k = 0; k < count; ++k) of_block[b][k] += added[k];
        }
    }
    std::array<double, count> sums{};
    for (const auto& of_one : of_block) {
        for (std::size_t k = 0; k < count; ++k) sums[k] += of_one[k];
    }
    return sums;
}

/// Returns the same sums over the vertices of all processes. All edges of a vertex are in one process, so
/// f(i) is 0 in all other processes.
template <std::size_t count, class F>
std::array<double, count> shared_sums(VertexId vertices, F f) {
    if (ranks().count() == 1) return sums_over<count>(vertices, f);
    std::array<Array<double>, count> shared;
    for (auto& of : shared) of.resize(vertices);
#pragma omp parallel for schedule(static)
    for (VertexId i = 0; i < vertices; ++i) {
        const std::array<double, count> added = f(i);
        for (std::size_t k = 0; k < count; ++k) shared[k][i] = added[k];
    }
    for (auto& of : shared) ranks().sum(std::span(of));
    return sums_over<count>(vertices, [&](VertexId i) {
        std::array<double, count> added;
        for (std::size_t k = 0; k < count; ++k) added[k] = shared[k][i];
        return added;
    });
}

}  // namespace

/// The vertices of one side (rows or columns) with their training edges, and the biases of these vertices.
class BiasFitter::Side {
public:
    explicit Side(const EdgeLists& edges) : edges_(edges), bias(edges.vertices()), sums_(bias.size()) {}

    void begin() {
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < bias.size(); ++i) bias[i] = 0;
    }
    /// Computes for each vertex the sum over its edges of the residual (weight minus mean minus the other
    /// endpoint's bias), and the sum of its square.
    void add_up(double mean, std::span<const double> other) { edges_.add_up(mean, other, sums_); }
    /// Returns the number of edges, and the sums that add_up() computed, each added up over all vertices.
    std::array<double, 3> totals() {
        return shared_sums<3>(edges_.vertices(), [&](VertexId i) {
            return std::array{static_cast<double>(edges_.edges(i)), sums_[i].total, sums_[i].squares};
        });
    }
    /// Fits the biases of this side to the sums that add_up() computed, given the variance of the noise and
    /// the variance of the biases. Then estimates the variance of the biases again. Returns the sum of
    /// squared residuals.
    double fit(double noise) {
        const double penalty = noise / variance;
        const VertexId vertices = edges_.vertices();
        const auto [left, squares, used, seen] = shared_sums<4>(vertices, [&](VertexId i) {
            const auto [total, total_squares] = sums_[i];
            const auto n = static_cast<double>(edges_.edges(i));
            const double b = n > 0 ? total / (n + penalty) : 0;
            bias[i] = b;
            return std::array{std::max(0.0, total_squares - 2 * b * total + n * b * b),
                              n > 0 ? b * b + noise / (n + penalty) : 0, n > 0 ? n / (n + penalty) : 0,
                              n > 0 ? 1.0 : 0.0};
        });
        if (ranks().count() > 1) ranks().sum(std::span(bias));
        freedom = used;
        variance = std::max(squares / seen, 1e-9 * noise);
        return left;
    }

private:
    const EdgeLists& edges_;

public:
    Array<double> bias;
    double variance = 0;
    /// Degrees of freedom that the fit uses, which reduce the number of edges when the noise is estimated.
    double freedom = 0;

private:
    Array<EdgeLists::Sums> sums_;
};

BiasFit BiasFitter::fit() {
    // Both sides stay allocated for the next fit, because allocating memory for many vertices takes longer
    // than filling it.
    if (!row_) row_ = std::make_unique<Side>(row_edges_), col_ = std::make_unique<Side>(col_edges_);
    Side &row = *row_, &col = *col_;
    row.begin(), col.begin();
    BiasFit fit{{0, std::vector<float>(row.bias.size()), std::vector<float>(col.bias.size())}};
    row.add_up(0, col.bias);
    const auto [edges, total, ignored] = row.totals();
    if (edges == 0) return fit;
    fit.biases.mean = static_cast<float>(total / edges);
    const double mean{fit.biases.mean};
    row.add_up(mean, col.bias);
    const double variance = row.totals()[2] / edges;
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

BiasFitter::BiasFitter(const SomeEdges& rows, const SomeEdges& cols)
    : row_edges_(EdgeLists::rows(rows)),
      col_edges_(&rows.graph == &cols.graph ? row_edges_.transpose_edges(rows.graph.cols)
                                            : EdgeLists::rows(cols).transpose_edges(cols.graph.cols)) {}

BiasFitter::~BiasFitter() = default;

BiasFit BiasFitter::fit(const FactorsView& factors, std::uint32_t rank) {
    row_edges_.subtract_predictions(factors.row, factors.col, stride_of(rank));
    col_edges_.subtract_predictions(factors.col, factors.row, stride_of(rank));
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
            if (rows.is_training_edge(e))
                given[owner[graph.col[e]]].push_back({u, graph.col[e], graph.weight(e)});
        }
    }
    Graph own;
    own.rows = graph.rows, own.cols = graph.cols;
    own.row_offsets.assign(EdgeId{graph.rows} + 1, 0);
    const std::vector<std::vector<Edge>> dealt = ranks().all_to_all(given);
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
