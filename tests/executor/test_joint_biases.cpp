// Tests of biases that are learned with the factors, and of the end of their runs.
#include <cmath>

#include "apps/sgd/biased_backend.hpp"
#include "apps/sgd/biases.hpp"
#include "apps/sgd/sweeps.hpp"
#include "planted_ratings.hpp"

using namespace lockstep;
using namespace lockstep::sgd;
using namespace lockstep::test;

TEST_CASE("beside factors the biases are those of what the factors leave, and so between the sweeps") {
    const Graph graph = planted(200, 150);
    constexpr std::uint32_t rank = 4;
    Factors truth{Array<float>(200 * rank, 0.0F), Array<float>(150 * rank, 0.0F)};
    for (std::uint32_t f = 0; f < 2; ++f) {
        for (VertexId u = 0; u < 200; ++u) truth.row[u * rank + f] = noise(u, 10 + f);
        for (VertexId v = 0; v < 150; ++v) truth.col[v * rank + f] = noise(v, 20 + f);
    }
    const SomeEdges all{graph, {}};
    const BiasFit fit = BiasFitter(all, all).fit(truth, rank), alone = fit_biases(graph, {});
    CHECK(fit.spread == Approx(0.1 / std::sqrt(3)).epsilon(0.1));  // the spread of the noise
    CHECK(alone.spread > 4 * fit.spread);
    for (VertexId u = 1; u < 200; ++u)
        REQUIRE(fit.biases.row[u] - fit.biases.row[0] == Approx(noise(u, 1) - noise(0, 1)).margin(0.1));

    SgdOptions options = biased_on(Device::cpu, 7, 0);
    options.sweeps = 4;
    for (const char* name : {"tiled", "stars", "local", "agm-e", "el"}) {
        INFO(name);
        options.refit_biases = 2;
        options.threads = 1;
        const Outcome joint = run(graph, find_strategy(name), options);
        CHECK(joint.biases == BiasFitter(all, all).fit(joint.factors, 7).biases);
        CHECK(joint.biases != alone.biases);
        options.refit_biases = 0;
        CHECK(run(graph, find_strategy(name), options).biases == alone.biases);
    }
}

TEST_CASE("what biases leave, whatever was taken off before, and the scale that weights lie on") {
    const auto edges = [](auto weight) {
        std::vector<Triple> triples;
        for (VertexId u = 0; u < 50; ++u) {
            for (VertexId v = 0; v < 40; ++v) triples.push_back({u, v, weight(u * 40 + v)});
        }
        return build_graph(triples, 50, 40, {GraphShape::bipartite, true, true});
    };
    const auto scale = [&](auto weight) {
        EdgePlan plan = make_plan(edges(weight), find_strategy("hogwild"), nullptr, Endpoints::none);
        std::vector<Triple> test{{1, 2, 4}};
        const Array<float> weights = plan.value;
        BiasResiduals remainder(plan, test);
        const Biases biases{0.1F, std::vector<float>(50, 1 / 3.0F), std::vector<float>(40, 0.7F)};
        remainder.subtract_biases({3, std::vector<float>(50, 1e6F), std::vector<float>(40, 0.0F)});
        remainder.subtract_biases(biases);
        for (EdgeId e = 0; e < plan.edges(); ++e)
            REQUIRE(plan.value[e] == static_cast<float>(weights[e] - biases.of(plan.row[e], plan.col[e])));
        CHECK(test[0].value == static_cast<float>(4 - biases.of(1, 2)));
        return remainder.scale();
    };
    CHECK(scale([](VertexId e) { return 1 + static_cast<float>(e % 9) / 2; }) == std::pair(1.0F, 5.0F));
    CHECK(!scale([](VertexId e) { return noise(e); }));
    // One value is a rare extreme.
    CHECK(!scale([](VertexId e) { return e == 7 ? 100.0F : static_cast<float>(e % 5); }));
    CHECK(!scale([](VertexId) { return 3.0F; }));
}

TEST_CASE("weights that the biases explain wholly end well") {
    std::vector<Triple> triples;
    for (VertexId u = 0; u < 60; ++u) {
        for (VertexId v = 0; v < 50; ++v) triples.push_back({u, v, 3 + noise(u) + noise(v, 1)});
    }
    const Graph graph = build_graph(triples, 60, 50, {GraphShape::bipartite, true, true});
    for (const double held : {0.0, 0.1}) {
        const Outcome outcome = run(graph, find_strategy("agm-e"), biased_on(Device::cpu, 16, held));
        CHECK(outcome.status != "diverged");
        CHECK(*outcome.baseline < 0.05);
    }
}

TEST_CASE("patience begins behind the plateau, and the best factors are kept without it") {
    const auto over_after = [](const SgdOptions& options) {
        Progress progress(options, Outcome());
        SweepRecord record;
        record.metrics = {{"rmse_test", 1.0}};
        do {
            ++record.sweep;
            progress.count(record);
        } while (!progress.is_over() && record.sweep < 50);
        return record.sweep;
    };
    SgdOptions options = biased_on(Device::cpu);
    CHECK(over_after(options) == 13);
    options.form = ModelForm::plain;
    CHECK(over_after(options) == 4);
    options.patience = 0;
    CHECK(over_after(options) == 50);

    options = biased_on(Device::cpu, 32);
    options.patience = 0;
    options.regularisation_decay = 10;  // the regularisation falls too far
    const Outcome outcome = run(planted(150, 100, 1, 0.2F), find_strategy("sgm"), options);
    CHECK(outcome.sweeps.size() == options.sweeps);
    REQUIRE((outcome.kept_sweep > 0 && outcome.kept_sweep < options.sweeps));
    for (const SweepRecord& sweep : outcome.sweeps)
        CHECK(*sweep.metric("rmse_test") >= *outcome.sweeps[outcome.kept_sweep - 1].metric("rmse_test"));
}
