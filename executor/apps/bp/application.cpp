// Belief propagation as an application of lockstep-execute: beliefs by original id.
#include <fmt/format.h>

#include "apps/bp/driver.hpp"
#include "apps/frame/arc_application.hpp"
#include "apps/frame/arc_check.hpp"
#include "lockstep/formats/error.hpp"

namespace lockstep {

namespace bp {

namespace {

const std::vector<float>& beliefs_of(const RunOutcome& run) {
    return static_cast<const Outcome&>(run).values;
}

class BeliefPropagation final : public ArcApplication {
public:
    BeliefPropagation()
        : ArcApplication({.name = "bp",
                          .summary = "belief propagation: sums over in-neighbours by the edges' likelihoods",
                          .strategies = "pagerank",
                          .result = "beliefs",
                          .value = "belief",
                          .shared = "edge-tiled",
                          .prepared = "edge-tiled"}) {}

    void read(const cli::Values& values, Device device, int threads) override {
        options_ = {};
        read_arc_options(options_, values, device, threads);
        options_.rounds = iterations_of(values, options_.rounds);
    }
    std::uint64_t rounds() const override { return options_.rounds; }

    std::unique_ptr<RunOutcome> run(const Input& input, const RunCallbacks& callbacks) const override {
        const Graph& graph = input.graph();
        if (const EdgeId e = refused_likelihood(graph); e < graph.edges()) {
            const IdMap& ids = input.file.dataset.row_ids;
            throw FormatError(input.file.summary.source.path,
                              fmt::format("the edge from {} to {} has the weight {:g}; likelihoods are 0, or "
                                          "from {:g} to {:g}",
                                          ids.name(edge_rows(graph)[e]), ids.name(graph.col[e]),
                                          graph.weight(e), least_likelihood, most_likelihood));
        }
        return std::make_unique<Outcome>(
            run_beliefs(graph, input.strategy, input.schedule(), options_, callbacks));
    }
    std::vector<ResultColumn> columns(const RunOutcome& outcome) const override {
        return {{"beliefs", beliefs_of(outcome)}};
    }
    Checked check(const Input& input, const RunOutcome& outcome) const override {
        const std::vector<double> expected = reference_beliefs(input.graph(), outcome.sweeps.size());
        const ArcCheck c = check_values(beliefs_of(outcome), expected, "belief");
        return {
            c.problem,
            fmt::format("off by {:.2g} of the sum, {:.2g} at one vertex; sum {:.9f}", c.distance, c.worst,
                        c.sum),
            {{"distance", number_or_null(c.distance)}, {"worst", number_or_null(c.worst)}, {"sum", c.sum}}};
    }

private:
    const ArcOptions& options() const override { return options_; }

    BeliefOptions options_;
};

}  // namespace

}  // namespace bp

Application& bp_application() {
    static bp::BeliefPropagation application;
    return application;
}

}  // namespace lockstep
