// Belief propagation as an application (Liu and Huang, SIMD-X, ATC 2019): its serial reference, its check and
// its options. The result is the belief of each vertex.
#include "apps/bp.hpp"

#include <fmt/format.h>

#include <numeric>

#include "apps/frame/iteration.hpp"
#include "lockstep/formats/error.hpp"

namespace lockstep {

namespace bp {

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

/// The smallest likelihood except 0, and the largest likelihood, that an edge may have.
constexpr float least_likelihood = 1e-6F, most_likelihood = 1e12F;

EdgeId refused_likelihood(const Graph& graph) {
    for (EdgeId e = 0; e < graph.value.size(); ++e) {
        const float weight = graph.value[e];
        if (weight != 0 && !(weight >= least_likelihood && weight <= most_likelihood)) return e;
    }
    return graph.edges();
}

LikelihoodSums::LikelihoodSums(const Graph& graph) : shares(graph.rows) {
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
                    const ArcOptions& options, const RunCallbacks& callbacks) {
    if (const EdgeId e = refused_likelihood(graph); e < graph.edges())
        throw Error(Failure::bad_input,
                    "the weight " + std::to_string(graph.weight(e)) + " is not a likelihood");
    const LikelihoodSums passed(graph);
    const auto reference = [&](const auto& on_round) {
        return reference_beliefs(graph, options.rounds, on_round);
    };
    const auto make = [&](const ArcPlan&, const auto& run) {
        return run(BeliefOperator(passed, options.rounds));
    };
    const auto metrics = [](const Round& round) -> Metrics { return {{"growth", round.growth}}; };
    return run_arcs<Round>(graph, strategy, schedule, options, callbacks, reference, make, metrics, true);
}

namespace {

/// Runs belief propagation on the graph of the input. Throws FormatError if the weight of an edge is not a
/// likelihood that refused_likelihood() accepts.
ArcRun run_on_input(const Input& input, const Strategy& strategy, const ArcOptions& options,
                    const RunCallbacks& callbacks) {
    const Graph& graph = input.graph();
    if (const EdgeId e = refused_likelihood(graph); e < graph.edges()) {
        const IdMap& ids = input.file.dataset.row_ids;
        throw FormatError(input.file.summary.source.path,
                          fmt::format("the edge from {} to {} has the weight {:g}; likelihoods are 0, or "
                                      "from {:g} to {:g}",
                                      ids.name(edge_rows(graph)[e]), ids.name(graph.col[e]), graph.weight(e),
                                      least_likelihood, most_likelihood));
    }
    return run_beliefs(graph, strategy, input.schedule(), options, callbacks);
}

CheckResult check_beliefs(const Graph& graph, const std::vector<float>& beliefs, const ArcRun& run) {
    return report_check(check_values(beliefs, reference_beliefs(graph, run.sweeps.size()), "belief"));
}

std::unique_ptr<Application> make(const Spec& spec) {
    return make_iteration(spec, {.run = run_on_input, .check = check_beliefs, .settle = [] { return 20; }});
}

}  // namespace

}  // namespace bp

const Spec& bp_spec() {
    static const Spec spec{
        .name = "bp",
        .summary = "belief propagation: sums of the in-neighbours' beliefs, each times the edge's likelihood",
        .example = "links.h5 --app bp --iterations 20 --output beliefs.txt",
        .strategies = "pagerank",
        .result = "beliefs",
        .value = "belief",
        .shared = "edge-tiled",
        .prepared = "edge-tiled",
        .make = bp::make};
    return spec;
}

}  // namespace lockstep
