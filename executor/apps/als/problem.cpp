#include "apps/als/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lockstep/formats/error.hpp"

namespace lockstep::als {

namespace {

/// Returns the training edges as lists by row.
Side rows_of(const Graph& graph, const std::vector<bool>& held_out, EdgeId count) {
    Side side;
    side.ends = Array<VertexId>(count);
    if (!graph.value.empty() &&
        std::any_of(graph.value.begin(), graph.value.end(), [](float w) { return w != 1; }))
        side.weights = Array<float>(count);
    side.first.resize(graph.rows + std::size_t{1});
    EdgeId next = 0;
    for (VertexId u = 0; u < graph.rows; ++u) {
        for (const EdgeId e : graph.edges_of(u)) {
            if (!held_out.empty() && held_out[e]) continue;
            side.ends[next] = graph.col[e];
            if (!side.weights.empty()) side.weights[next] = graph.weight(e);
            ++next;
        }
        side.first[u + std::size_t{1}] = next;
    }
    return side;
}

/// Returns the edges of `side` as lists by their other endpoint, of which there are `size`.
Side transpose_side(const Side& side, VertexId size) {
    Side other;
    other.ends = Array<VertexId>(side.ends.size()), other.weights = Array<float>(side.weights.size());
    other.first.assign(size + std::size_t{1}, 0);
    for (const VertexId v : side.ends) ++other.first[v + std::size_t{1}];
    std::partial_sum(other.first.begin(), other.first.end(), other.first.begin());
    std::vector<EdgeId> next = other.first;
    for (VertexId u = 0; u < side.size(); ++u) {
        for (EdgeId e = side.first[u]; e < side.first[u + std::size_t{1}]; ++e) {
            const EdgeId at = next[side.ends[e]]++;
            other.ends[at] = u;
            if (!side.weights.empty()) other.weights[at] = side.weights[e];
        }
    }
    return other;
}

double weight_of(const Side& side, VertexId v) {
    if (side.weights.empty()) return static_cast<double>(side.degree(v));
    const auto at = [&](VertexId end) {
        return side.weights.begin() + static_cast<std::ptrdiff_t>(side.first[end]);
    };
    return std::accumulate(at(v), at(v + 1), 0.0);
}

void complete(Side& side, double weight, const Settings& s) {
    const double of_edge = weight / static_cast<double>(side.ends.size()), of_vertex = weight / side.size();
    side.regularisation.resize(side.size());
    for (VertexId v = 0; v < side.size(); ++v) {
        const double share = (weight_of(side, v) / of_vertex + s.unobserved) / (1 + s.unobserved);
        side.regularisation[v] = static_cast<float>(s.regularisation * of_edge * std::pow(share, s.exponent));
        if (side.degree(v) > 0) side.order.push_back(v);
    }
    std::stable_sort(side.order.begin(), side.order.end(),
                     [&](VertexId a, VertexId b) { return side.degree(a) > side.degree(b); });
}

}  // namespace

Problem make_problem(const Graph& graph, const std::vector<bool>& held_out, const Settings& settings) {
    require_ends(graph, Ends::sides);
    const auto count =
        graph.edges() - static_cast<EdgeId>(std::count(held_out.begin(), held_out.end(), true));
    if (count == 0)
        throw Error(Failure::bad_input, "there are no training edges; implicit ALS needs at least one");
    const auto bad = std::find_if_not(graph.value.begin(), graph.value.end(), [](float w) { return w > 0; });
    if (bad != graph.value.end())
        throw Error(Failure::bad_input,
                    fmt::format("an edge has the weight {:g}; expected a weight above 0, the confidence that "
                                "the item was taken. To use only the edges with a weight of at least W, each "
                                "with weight 1: lockstep-train RATINGS --feedback implicit --positive-from W",
                                static_cast<double>(*bad)));
    Problem p{settings, rows_of(graph, held_out, count), {}};
    p.cols = transpose_side(p.rows, graph.cols);
    for (VertexId u = 0; u < graph.rows; ++u) p.weight += weight_of(p.rows, u);
    // largest sum of weights in single precision, with a margin for products
    constexpr double largest = 1e35;
    if (p.weight > largest)
        throw Error(Failure::bad_input,
                    fmt::format("the sum of the weights is {:.3g}; als supports at most {:g}. Divide all "
                                "weights by the same number; the predictions do not change",
                                p.weight, largest));
    p.pair_weight = static_cast<float>(settings.unobserved * p.weight /
                                       (static_cast<double>(graph.rows) * static_cast<double>(graph.cols)));
    complete(p.rows, p.weight, settings), complete(p.cols, p.weight, settings);
    return p;
}

}  // namespace lockstep::als
