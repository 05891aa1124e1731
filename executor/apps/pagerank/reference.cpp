#include "apps/pagerank/driver.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <numeric>

namespace lockstep::pagerank {

namespace {

double distance(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t v = 0; v < a.size(); ++v) sum += std::fabs(a[v] - b[v]);
    return sum;
}

/// Returns the largest change of a rank from `before`, relative to it.
double farthest(const std::vector<double>& ranks, const std::vector<double>& before) {
    double most = 0;
    for (std::size_t v = 0; v < ranks.size(); ++v) {
        const double change = std::fabs(ranks[v] - before[v]) / before[v];
        if (!(change <= most)) most = change;  // a NaN counts as the largest
    }
    return most;
}

/// Returns the ranks after one step of equation 1.
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
        if (parameters.until > 0 && farthest(ranks, next) <= parameters.until) break;
    }
    return ranks;
}

std::vector<double> rounding_bounds(const Graph& graph, std::uint64_t rounds, const Parameters& p) {
    constexpr double unit = 0x1p-24;
    constexpr double own = 4;  // roundings: of a term, the degree and two operations; of the sum, its factor
    const double n = graph.rows, spread = p.dangling == Dangling::spread ? p.damping / n : 0;
    std::vector<double> in_degree(graph.rows), ranks(graph.rows, 1 / n), off(graph.rows, unit / n);
    for (const VertexId v : graph.col) ++in_degree[v];
    for (std::uint64_t round = 0; round < rounds; ++round) {
        const std::vector<double> next = reference_step(graph, ranks, p);
        std::vector<double> passed(graph.rows), whole(graph.rows);
        double dangling = 0;
        for (VertexId u = 0; u < graph.rows; ++u) {
            const auto degree = static_cast<double>(graph.row_offsets[u + 1] - graph.row_offsets[u]);
            if (degree == 0) dangling += off[u];
            for (const EdgeId e : graph.edges_of(u)) {
                passed[graph.col[e]] += off[u] / degree;
                whole[graph.col[e]] += ranks[u] / degree;
            }
        }
        for (VertexId v = 0; v < graph.rows; ++v) {
            const double terms = (in_degree[v] + own) * unit;
            const double rounded = terms < 1 ? terms / (1 - terms) : std::numeric_limits<double>::infinity();
            const double sum = in_degree[v] > 0 ? passed[v] + rounded * (whole[v] + passed[v]) : 0;
            off[v] = p.damping * sum + spread * dangling;
            off[v] += unit * (next[v] + off[v]);
        }
        ranks = next;
    }
    return off;
}

Check check_ranks(const Graph& graph, const std::vector<float>& ranks, std::uint64_t rounds,
                  const Parameters& parameters) {
    const std::vector<double> rounding =
        parameters.float_sums ? rounding_bounds(graph, rounds, parameters) : std::vector<double>();
    Check check{check_values(ranks, reference_ranks(graph, {parameters.damping, parameters.dangling, rounds}),
                             "rank", rounding)};
    if (ranks.size() != graph.rows) return check;
    const std::vector<double> given(ranks.begin(), ranks.end());
    check.residual = distance(reference_step(graph, given, parameters), given);
    if (check.problem.empty() && graph.rows > 0 && parameters.dangling == Dangling::spread &&
        !(std::fabs(check.sum - 1) <= 1e-6 + check.allowed))
        check.problem = fmt::format("the ranks add up to {:.9g}, not to 1", check.sum);
    return check;
}

Check check_stable(const Graph& graph, const std::vector<float>& ranks, const Parameters& parameters) {
    Check check;
    if (ranks.size() != graph.rows) {
        check.problem = fmt::format("there are {} ranks for {} vertices", ranks.size(), graph.rows);
        return check;
    }
    const std::vector<double> given(ranks.begin(), ranks.end()),
        next = reference_step(graph, given, parameters);
    const double most = parameters.until + 2e-6;
    check.sum = std::accumulate(given.begin(), given.end(), 0.0);
    check.residual = check.distance = distance(given, next);
    check.worst = farthest(next, given);
    if (!(check.worst <= most)) {
        check.problem =
            fmt::format("a rank is not stable: one more step changes it by {:.3g} of it, more than {:g}",
                        check.worst, parameters.until);
    } else if (graph.rows > 0 && parameters.dangling == Dangling::spread &&
               !(std::fabs(check.sum - 1) <= most / (1 - parameters.damping))) {
        check.problem = fmt::format("the ranks add up to {:.9g}, not to 1", check.sum);
    }
    return check;
}

}  // namespace lockstep::pagerank
