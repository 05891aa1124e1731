#include "apps/bp/driver.hpp"

#include <numeric>

namespace lockstep::bp {

EdgeId refused_likelihood(const Graph& graph) {
    for (EdgeId e = 0; e < graph.value.size(); ++e) {
        const float weight = graph.value[e];
        if (weight != 0 && !(weight >= least_likelihood && weight <= most_likelihood)) return e;
    }
    return graph.edges();
}

Passed::Passed(const Graph& graph) : shares(graph.rows) {
    std::vector<double> sums(graph.rows);
    for (VertexId v = 0; v < graph.rows; ++v) {
        for (const EdgeId e : graph.edges_of(v)) sums[v] += double{graph.weight(e)};
        largest = std::max(largest, sums[v]);
        first += sums[v] / graph.rows;
    }
    for (VertexId v = 0; v < graph.rows && largest > 0; ++v)
        shares[v] = static_cast<float>(sums[v] / largest);
}

Outcome run_beliefs(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                    const BeliefOptions& options, const RunCallbacks& callbacks) {
    check_options(options);
    if (options.rounds < 1) throw Error(Failure::usage, "at least one iteration is needed");
    if (const EdgeId e = refused_likelihood(graph); e < graph.edges())
        throw Error(Failure::bad_input,
                    "the weight " + std::to_string(graph.weight(e)) + " is no likelihood");
    const Passed passed(graph);
    const auto beliefs = [&](const auto& on_round) {
        return reference_beliefs(graph, options.rounds, on_round);
    };
    const auto make = [&](Device device, const ArcPlan& plan, int threads) {
        return device == Device::reference
                   ? reference_runner<Round>(graph, beliefs)
                   : arc_runner(device, plan, BeliefOperator(passed, options.rounds), threads, options.gpus);
    };
    const auto metrics = [](const Round& round) -> Metrics { return {{"growth", round.growth}}; };
    return run_arcs<Round>(graph, strategy, schedule, options, callbacks, make, metrics, true);
}

std::vector<double> reference_beliefs(const Graph& graph, std::uint64_t rounds,
                                      const std::function<bool(const Round&)>& on_round) {
    std::vector<double> beliefs(graph.rows, graph.rows ? 1.0 / graph.rows : 0), passed(graph.rows);
    for (VertexId u = 0; u < graph.rows; ++u) {
        for (const EdgeId e : graph.edges_of(u)) passed[u] += double{graph.weight(e)};
    }
    const auto growth_of = [&] {
        return std::inner_product(beliefs.begin(), beliefs.end(), passed.begin(), 0.0);
    };
    double start = omp_get_wtime();
    for (std::uint64_t round = 0; graph.rows > 0 && round < rounds; ++round) {
        std::vector<double> next(graph.rows, 0);
        for (VertexId u = 0; u < graph.rows; ++u) {
            for (const EdgeId e : graph.edges_of(u))
                next[graph.col[e]] += beliefs[u] * double{graph.weight(e)};
        }
        const double sum = std::accumulate(next.begin(), next.end(), 0.0);
        for (double& belief : next) belief = sum > 0 ? belief / sum : 0;
        beliefs.swap(next);
        const double now = omp_get_wtime();
        if (on_round && !on_round({now - start, growth_of()})) break;
        start = now;
    }
    return beliefs;
}

}  // namespace lockstep::bp
