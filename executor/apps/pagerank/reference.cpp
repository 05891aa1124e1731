#include "apps/pagerank/reference.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>

namespace lockstep::pagerank {

namespace {

double distance(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t v = 0; v < a.size(); ++v) sum += std::fabs(a[v] - b[v]);
    return sum;
}

class ReferenceBackend final : public Backend {
public:
    ReferenceBackend(const Graph& graph, const Problem& problem) : graph_(graph), problem_(problem) {}

    std::vector<Round> run(const std::function<bool(const Round&)>& on_round, double* seconds) override {
        ranks_.assign(graph_.rows, graph_.rows ? 1.0 / graph_.rows : 0);
        std::vector<Round> rounds;
        *seconds = 0;
        while (graph_.rows > 0 && rounds.size() < problem_.rounds) {
            const double start = omp_get_wtime();
            std::vector<double> next = reference_step(graph_, ranks_, problem_.damping, problem_.dangling);
            const double change = distance(next, ranks_);
            ranks_.swap(next);
            rounds.push_back({omp_get_wtime() - start, change, 0});
            *seconds += rounds.back().seconds;
            const bool converged = problem_.tolerance > 0 && change <= problem_.tolerance;
            if (!on_round(rounds.back()) || converged) break;
        }
        return rounds;
    }
    std::vector<float> ranks() override {
        std::vector<float> by_position(ranks_.size());
        const std::vector<VertexId>& order = problem_.plan.order;
        for (VertexId p = 0; p < ranks_.size(); ++p)
            by_position[p] = static_cast<float>(ranks_[order.empty() ? p : order[p]]);
        return by_position;
    }
    DeviceInfo device() const override { return {"reference", "serial, double precision", 1, ""}; }
    double transfer_seconds() const override { return 0; }
    EdgeId device_bytes() const override { return 4 * graph_.edges() + 24 * EdgeId{graph_.rows}; }

private:
    const Graph& graph_;
    const Problem problem_;
    std::vector<double> ranks_;
};

}  // namespace

std::vector<double> reference_step(const Graph& graph, const std::vector<double>& ranks, double damping,
                                   Dangling dangling) {
    std::vector<double> next(ranks.size(), 0);
    double lost = 0;
    for (VertexId u = 0; u < graph.rows; ++u) {
        const EdgeId begin = graph.row_offsets[u], end = graph.row_offsets[u + 1];
        if (begin == end) lost += ranks[u];
        const double share = ranks[u] / static_cast<double>(end - begin);
        for (EdgeId e = begin; e < end; ++e) next[graph.col[e]] += share;
    }
    const double n = graph.rows;
    const double base = (1 - damping) / n + (dangling == Dangling::spread ? damping * lost / n : 0);
    for (double& rank : next) rank = base + damping * rank;
    return next;
}

std::vector<double> reference_ranks(const Graph& graph, std::uint64_t rounds, double damping,
                                    Dangling dangling) {
    std::vector<double> ranks(graph.rows, graph.rows ? 1.0 / graph.rows : 0);
    for (std::uint64_t round = 0; round < rounds; ++round)
        ranks = reference_step(graph, ranks, damping, dangling);
    return ranks;
}

std::unique_ptr<Backend> make_reference_backend(const Graph& graph, const Problem& problem) {
    return std::make_unique<ReferenceBackend>(graph, problem);
}

Check check_ranks(const Graph& graph, const std::vector<float>& ranks, std::uint64_t rounds, double damping,
                  Dangling dangling) {
    constexpr double most_distance = 1e-6, most_error = 1e-5;
    Check check;
    if (ranks.size() != graph.rows) {
        check.problem = fmt::format("there are {} ranks for {} vertices", ranks.size(), graph.rows);
        return check;
    }
    const std::vector<double> expected = reference_ranks(graph, rounds, damping, dangling);
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
    check.residual = distance(reference_step(graph, given, damping, dangling), given);
    if (!(check.distance <= most_distance)) {
        check.problem = fmt::format("the ranks are off by {:.3g} of their sum, more than {:g}",
                                    check.distance, most_distance);
    } else if (!(check.worst <= most_error)) {
        check.problem =
            fmt::format("the rank of vertex {} is {:g}; expected {:g}", worst, given[worst], expected[worst]);
    } else if (graph.rows > 0 && dangling == Dangling::spread &&
               !(std::fabs(check.sum - 1) <= most_distance)) {
        check.problem = fmt::format("the ranks add up to {:.9g}, not to 1", check.sum);
    }
    return check;
}

}  // namespace lockstep::pagerank
