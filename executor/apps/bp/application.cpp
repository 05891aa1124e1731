// Belief propagation as an application of lockstep-execute: beliefs by original id.
#include <fmt/format.h>

#include "apps/bp/driver.hpp"
#include "apps/frame/iteration.hpp"
#include "lockstep/formats/error.hpp"

namespace lockstep {

namespace bp {

namespace {

class BeliefPropagation final : public ArcApplication {
public:
    using ArcApplication::ArcApplication;

    void settle(const Fields& given, Request& request, int threads) override {
        ArcApplication::settle(given, request, threads);
        options_ = {arc_options_, iterations_.value_or(BeliefOptions().rounds)};
    }
    std::uint64_t rounds() const override { return options_.rounds; }

private:
    Checked check(const Input& input, const RunOutcome& outcome) const override {
        const std::vector<double> expected = reference_beliefs(input.graph(), outcome.sweeps.size());
        return checked(check_values(values_of(outcome), expected, "belief"));
    }

    std::unique_ptr<RunOutcome> solve(const Input& input, const Strategy& strategy, bool trial,
                                      const RunCallbacks& callbacks) override {
        const Graph& graph = input.graph();
        if (const EdgeId e = refused_likelihood(graph); e < graph.edges()) {
            const IdMap& ids = input.file.dataset.row_ids;
            throw FormatError(input.file.summary.source.path,
                              fmt::format("the edge from {} to {} has the weight {:g}; likelihoods are 0, or "
                                          "from {:g} to {:g}",
                                          ids.name(edge_rows(graph)[e]), ids.name(graph.col[e]),
                                          graph.weight(e), least_likelihood, most_likelihood));
        }
        const BeliefOptions options{options_of(strategy, trial), options_.rounds};
        return with_column(run_beliefs(graph, strategy, input.schedule(), options, callbacks));
    }

    BeliefOptions options_;
};

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
        .make = make_application<bp::BeliefPropagation>};
    return spec;
}

}  // namespace lockstep
