#include "apps/pagerank/driver.hpp"

#include <fmt/format.h>
#include <omp.h>

namespace lockstep::pagerank {

namespace {

double distance(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t v = 0; v < a.size(); ++v) sum += std::fabs(a[v] - b[v]);
    return sum;
}

/// One step of equation 1.
std::vector<double> reference_step(const Graph& graph, const std::vector<double>& ranks,
                                   const Parameters& p) {
    std::vector<double> next(ranks.size(), 0);
    double lost = 0;
    for (VertexId u = 0; u < graph.rows; ++u) {
        const EdgeId begin = graph.row_offsets[u], end = graph.row_offsets[u + 1];
        if (begin == end) lost += ranks[u];
        const double share = ranks[u] / static_cast<double>(end - begin);
        for (EdgeId e = begin; e < end; ++e) next[graph.col[e]] += share;
    }
    const double n = graph.rows;
    const double base = (1 - p.damping) / n + (p.dangling == Dangling::spread ? p.damping * lost / n : 0);
    for (double& rank : next) rank = base + p.damping * rank;
    return next;
}

}  // namespace

std::vector<double> reference_ranks(const Graph& graph, const Parameters& parameters,
                                    const std::function<bool(const Round&)>& on_round) {
    std::vector<double> ranks(graph.rows, graph.rows ? 1.0 / graph.rows : 0);
    for (std::uint64_t round = 0; graph.rows > 0 && round < parameters.rounds; ++round) {
        const double start = omp_get_wtime();
        std::vector<double> next = reference_step(graph, ranks, parameters);
        ranks.swap(next);
        const double change = distance(next, ranks);
        if (on_round && !on_round({omp_get_wtime() - start, change, 0})) break;
        if (parameters.tolerance > 0 && change <= parameters.tolerance) break;
    }
    return ranks;
}

Check check_ranks(const Graph& graph, const std::vector<float>& ranks, std::uint64_t rounds,
                  const Parameters& parameters) {
    constexpr double most_distance = 1e-6, most_error = 1e-5;
    Check check;
    if (ranks.size() != graph.rows) {
        check.problem = fmt::format("there are {} ranks for {} vertices", ranks.size(), graph.rows);
        return check;
    }
    const std::vector<double> expected =
        reference_ranks(graph, {parameters.damping, parameters.dangling, rounds, 0});
    const std::vector<double> given(ranks.begin(), ranks.end());
    double whole = 0;
    VertexId worst = 0;
    for (VertexId v = 0; v < graph.rows; ++v) {
        check.sum += given[v];
        whole += expected[v];
        const double error = std::fabs(given[v] - expected[v]);
        check.distance += error;
        // Written so that a NaN is the worst.
        if (!(error / expected[v] <= check.worst)) check.worst = error / expected[v], worst = v;
    }
    if (whole > 0) check.distance /= whole;
    check.residual = distance(reference_step(graph, given, parameters), given);
    if (!(check.distance <= most_distance)) {
        check.problem = fmt::format("the ranks are off by {:.3g} of their sum, more than {:g}",
                                    check.distance, most_distance);
    } else if (!(check.worst <= most_error)) {
        check.problem =
            fmt::format("the rank of vertex {} is {:g}; expected {:g}", worst, given[worst], expected[worst]);
    } else if (graph.rows > 0 && parameters.dangling == Dangling::spread &&
               !(std::fabs(check.sum - 1) <= most_distance)) {
        check.problem = fmt::format("the ranks add up to {:.9g}, not to 1", check.sum);
    }
    return check;
}

}  // namespace lockstep::pagerank
