// Tests of the biased form of SGD: the biases that are found, factors of the residuals, defaults for any
// unit.
#include <cmath>

#include "apps/sgd/biases.hpp"
#include "planted_ratings.hpp"

using namespace lockstep;
using namespace lockstep::sgd;
using namespace lockstep::test;

TEST_CASE("planted biases are found, and the same bits by any number of threads") {
    const Graph graph = planted(200, 150, 1, 0);
    const BiasFit fit = fit_biases(graph, {});
    CHECK(fit.biases.mean == Approx(3).margin(0.15));
    CHECK(fit.spread == Approx(0.1 / std::sqrt(3)).epsilon(0.1));  // the spread of the noise
    // The mean includes the part that all planted biases have in common.
    for (VertexId u = 1; u < 200; ++u)
        REQUIRE(fit.biases.row[u] - fit.biases.row[0] == Approx(noise(u, 1) - noise(0, 1)).margin(0.1));
    for (VertexId v = 1; v < 150; ++v)
        REQUIRE(fit.biases.col[v] - fit.biases.col[0] ==
                Approx(0.5 * (noise(v, 2) - noise(0, 2))).margin(0.1));
    const int threads = omp_get_max_threads();
    for (const int n : {1, 3, 8}) {
        omp_set_num_threads(n);
        const BiasFit again = fit_biases(graph, {});
        CHECK(again.biases == fit.biases);
        CHECK(again.spread == fit.spread);
    }
    omp_set_num_threads(threads);
}

TEST_CASE("biases are those of the training edges, and shrink where there are few") {
    // Row 0 has one edge, far above the mean; row 1 has no edge to train on; row 2 has many edges, as far
    // above the mean.
    std::vector<Triple> triples{{0, 0, 9}, {1, 0, 9}};
    for (VertexId v = 0; v < 100; ++v) {
        triples.push_back({2, v, 9 + noise(v)});
        for (VertexId u = 3; u < 40; ++u) triples.push_back({u, v, 5 + 2 * noise(u * 100 + v)});
    }
    const Graph graph = build_graph(triples, 41, 100, {GraphShape::bipartite, true, true});
    std::vector<bool> held_out(graph.edges());
    held_out[1] = true;  // holds out the edge of row 1
    const Biases biases = fit_biases(graph, held_out).biases;
    CHECK(biases.row[1] == 0);
    CHECK(biases.row[40] == 0);  // row 40 has no edge
    CHECK(biases.row[2] > 3);
    CHECK(biases.row[0] > 0);
    CHECK(biases.row[0] < 0.8F * biases.row[2]);
    held_out.assign(graph.edges(), true);
    const BiasFit none = fit_biases(graph, held_out);
    CHECK(none.biases.mean == 0);
    CHECK(none.spread == 0);
}

TEST_CASE("weights that are all alike leave nothing") {
    const Graph graph =
        build_graph({{0, 0, 1}, {0, 1, 1}, {1, 0, 1}}, 2, 2, {GraphShape::bipartite, true, false});
    const BiasFit fit = fit_biases(graph, {});
    CHECK(fit.biases.mean == 1);
    CHECK(fit.biases.row == std::vector<float>(2));
    CHECK(fit.spread == 0);
    const Outcome outcome = run(graph, find_strategy("agm-e"), biased_on(Device::cpu, 4, 0));
    CHECK(outcome.status == "ok");
    CHECK(*outcome.sweeps.back().metric("rmse_train") < 1e-6);
}

TEST_CASE("every offline strategy ends below the biases alone, with the same bits by any number of threads") {
    const Graph graph = planted(150, 100);
    for (const Strategy& strategy : strategies()) {
        if (!strategy.deterministic()) continue;
        for (const Storage storage : {Storage::fp32, Storage::fp16}) {
            INFO(strategy.name << ", " << to_string(storage));
            SgdOptions options = biased_on(Device::cpu);
            options.storage = storage;
            options.sweeps = 15;
            options.threads = 1;
            const Outcome once = run(graph, strategy, options);
            const double test = *once.sweeps[once.kept_sweep - 1].metric("rmse_test");
            CHECK(test < 0.5 * *once.baseline);
            CHECK(once.baseline == Approx(std::sqrt(2) / 3).epsilon(0.2));  // the part of the planted factors
            options.threads = 2;
            const Outcome again = run(graph, strategy, options);
            require_same(again, once);
            CHECK(again.biases == once.biases);
        }
    }
}

TEST_CASE("a biased model predicts mean, biases and the product of the factors") {
    const Graph graph = planted(120, 90);
    for (const char* name : {"tiled", "agm-e"}) {
        const Outcome outcome = run(graph, find_strategy(name), biased_on(Device::cpu, 8));
        const std::vector<bool> held_out = hold_out(graph.edges(), 0.1, 1);
        const std::size_t stride = stride_of(8);
        const Biases first = fit_biases(graph, held_out).biases;
        double squares[2] = {0, 0}, biases_alone = 0;
        for (VertexId u = 0; u < graph.rows; ++u) {
            for (const EdgeId e : graph.edges_of(u)) {
                const VertexId v = graph.col[e];
                double error = graph.weight(e) - outcome.biases.of(u, v);
                if (held_out[e]) biases_alone += std::pow(graph.weight(e) - first.of(u, v), 2);
                for (std::size_t i = 0; i < 8; ++i)
                    error -=
                        double{outcome.factors.row[u * stride + i]} * outcome.factors.col[v * stride + i];
                squares[held_out[e]] += error * error;
            }
        }
        const SweepRecord& kept = outcome.sweeps[outcome.kept_sweep - 1];
        CHECK(*kept.metric("rmse_train") ==
              Approx(std::sqrt(squares[0] / static_cast<double>(outcome.train_edges))).epsilon(1e-5));
        const auto test_edges = static_cast<double>(outcome.test_edges);
        CHECK(*kept.metric("rmse_test") == Approx(std::sqrt(squares[1] / test_edges)).epsilon(1e-5));
        CHECK(*outcome.baseline == Approx(std::sqrt(biases_alone / test_edges)).epsilon(1e-5));
    }
}

TEST_CASE("the defaults of the biased form serve any unit of the weights, bit for bit") {
    const Strategy& strategy = find_strategy("tiled");
    const Outcome one = run(planted(120, 90), strategy, biased_on(Device::cpu));
    for (const float unit : {0x1p-6F, 0x1p12F}) {  // powers of four have exact square roots
        const Outcome other = run(planted(120, 90, unit), strategy, biased_on(Device::cpu));
        CHECK(other.kept_sweep == one.kept_sweep);
        CHECK(*other.baseline == unit * *one.baseline);
        for (std::size_t i = 0; i < one.factors.row.size(); ++i)
            REQUIRE(other.factors.row[i] == std::sqrt(unit) * one.factors.row[i]);
        for (std::size_t v = 0; v < one.biases.col.size(); ++v)
            REQUIRE(other.biases.col[v] == unit * one.biases.col[v]);
    }
    for (const float unit : {0.2F, 200.0F}) {
        const Outcome other = run(planted(120, 90, unit), strategy, biased_on(Device::cpu));
        CHECK(*other.sweeps.back().metric("rmse_test") ==
              Approx(unit * *one.sweeps.back().metric("rmse_test")).epsilon(1e-3));
    }
}

TEST_CASE("the result hash of a biased model covers its biases") {
    const Factors factors{Array<float>(8, 1.0F), Array<float>(4, 2.0F)};
    const Biases biases{3, {1, 2}, {0.5F}};
    Biases other = biases;
    other.col[0] = 0.25F;
    CHECK(hash_of(factors, 4, biases) != hash_of(factors, 4));
    CHECK(hash_of(factors, 4, biases) != hash_of(factors, 4, other));
}

TEST_CASE(
    "with early stopping the kept sweep is the best, and without held-out edges there is none to stop") {
    const Graph graph = planted(150, 100, 1, 0.2F);  // there is little but noise
    const Outcome outcome = run(graph, find_strategy("sgm"), biased_on(Device::cpu, 32));
    REQUIRE(outcome.status == "stopped-early");
    for (const SweepRecord& sweep : outcome.sweeps)
        CHECK(*sweep.metric("rmse_test") >= *outcome.sweeps[outcome.kept_sweep - 1].metric("rmse_test"));
    SgdOptions options = biased_on(Device::cpu, 32);
    options.sweeps = outcome.kept_sweep;
    options.patience = 0;
    CHECK(run(graph, find_strategy("sgm"), options).result_hash == outcome.result_hash);

    const Graph small = build_graph({{0, 0, 1}, {1, 1, 2}}, 2, 2, {GraphShape::bipartite, true, true});
    options = biased_on(Device::cpu, 4, 1e-9);  // no edge is held out
    CHECK(run(small, find_strategy("agm-e"), options).status == "ok");
    options.patience_if_any = false;
    CHECK_THROWS_WITH(run(small, find_strategy("agm-e"), options), Catch::Contains("holds out none"));
}

TEST_CASE("where factors learn nothing, the model is its biases") {
    const Graph graph = planted(60, 40, 1, 0);  // there is nothing for the factors to learn
    const Outcome outcome = run(graph, find_strategy("sgm"), biased_on(Device::cpu, 8));
    double best = *outcome.baseline;
    for (const SweepRecord& sweep : outcome.sweeps) best = std::min(best, *sweep.metric("rmse_test"));
    const bool learnt = best < *outcome.baseline;
    CHECK((outcome.kept_sweep == 0) == !learnt);
    for (const float x : outcome.factors.row) REQUIRE((learnt || x == 0));
    REQUIRE(!learnt);
    CHECK(outcome.initial.metric("rmse_test") == outcome.baseline);
    CHECK_THAT(outcome.message, Catch::Contains("biases alone"));
}

TEST_CASE("the regularisation of a sweep") {
    SgdOptions o;
    o.regularisation = 0.2;
    CHECK(regularisation(o, 7) == 0.2);
    o.regularisation_decay = 0.5;
    CHECK(regularisation(o, 0) == 0.2);
    CHECK(regularisation(o, 2) == Approx(0.1));
}

TEST_CASE("what does not go with the form is refused") {
    const Graph graph = paper_graph();
    const auto refused = [&](auto change) {
        SgdOptions options = biased_on(Device::cpu);
        change(options);
        CHECK_THROWS_AS(run(graph, find_strategy("el"), options), Error);
    };
    refused([](SgdOptions& o) { o.nonnegative = true; });
    refused([](SgdOptions& o) { o.form = ModelForm::plain; });
    refused([](SgdOptions& o) { o.regularisation_decay = -1; });
}

#if defined(LOCKSTEP_HAS_CUDA)
TEST_CASE("biased: CPU and GPU agree bit for bit on every offline schedule") {
    if (!gpu_or_skip()) return;
    const Graph graph = hubs();
    for (const Strategy& strategy : strategies()) {
        if (!strategy.deterministic()) continue;
        for (const std::uint32_t rank : {8U, 16U, 33U, 64U, 128U}) {
            for (const Storage storage : {Storage::fp32, Storage::fp16}) {
                INFO(strategy.name << ", rank " << rank << ", " << to_string(storage));
                SgdOptions options = biased_on(Device::cpu, rank);
                options.storage = storage;
                options.threads = 2;
                const Outcome cpu = run(graph, strategy, options);
                options.device = Device::cuda;
                const Outcome gpu = run(graph, strategy, options);
                require_same(gpu, cpu);
                REQUIRE(gpu.baseline == cpu.baseline);
            }
        }
    }
}
#endif
