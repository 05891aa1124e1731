// Tests of the application of SGD: bitwise equality, known values, stopping.
#include <cmath>

#include "sgd_support.hpp"

using namespace lockstep;
using namespace lockstep::sgd;
using namespace lockstep::test;

namespace {

SgdOptions on(Device device, std::uint32_t rank = 16, std::uint64_t sweeps = 3) {
    SgdOptions options;
    options.device = device;
    options.rank = rank;
    options.sweeps = sweeps;
    return options;
}

const std::vector<std::uint32_t> ranks{1, 3, 4, 7, 8, 16, 17, 32, 64, 100, 128, 129, 256};

}  // namespace

TEST_CASE("offline schedules give the same bits for any number of threads and on every repeat") {
    const Graph graph = random_graph(300, 200, 5000, 2);
    for (const Strategy& strategy : strategies()) {
        if (!strategy.deterministic()) continue;
        INFO(strategy.name);
        SgdOptions options = on(Device::cpu);
        options.test_fraction = 0.1;
        options.threads = 1;
        const Outcome once = run(graph, strategy, options);
        for (const int threads : {1, 2, 4, 8}) {
            options.threads = threads;
            const Outcome again = run(graph, strategy, options);
            require_same(again, once);
        }
    }
}

TEST_CASE("every strategy stays within 1e-4 of serial double precision in the same order") {
    const Graph graph = random_graph(300, 200, 5000, 3);
    for (const std::uint32_t rank : ranks) {
        for (const Strategy& strategy : strategies()) {
            INFO(strategy.name << ", rank " << rank);
            SgdOptions options = on(Device::cpu, rank, 1);
            options.threads = 1;  // the online modes follow the plan's order, too, if there is one thread
            const Outcome cpu = run(graph, strategy, options);
            options.device = Device::reference;
            const Outcome reference = run(graph, strategy, options);
            REQUIRE(relative_distance(cpu.factors.row, reference.factors.row) < 1e-4);
            REQUIRE(*cpu.sweeps[0].metric("rmse_train") ==
                    Approx(*reference.sweeps[0].metric("rmse_train")).epsilon(1e-4));
        }
    }
}

#if defined(LOCKSTEP_HAS_CUDA)
TEST_CASE("CPU and GPU agree bit for bit on every offline schedule, rank and graph") {
    if (!gpu_or_skip()) return;
    for (const NamedGraph& named : graph_battery()) {
        for (const std::uint32_t rank : ranks) {
            for (const Strategy& strategy : strategies()) {
                if (!strategy.deterministic()) continue;
                INFO(named.name << ", " << strategy.name << ", rank " << rank);
                // Plans that do not fit in shared memory are refused: about 200 KB of items for each of 132
                // blocks.
                if (strategy.walk == TiledPlan::facts && EdgeId{named.graph.cols} * rank > 3'000'000)
                    continue;
                SgdOptions options = on(Device::cpu, rank, 2);
                // Some edges must be left to train on.
                options.test_fraction = named.graph.edges() > 20 ? 0.2 : 0;
                options.nonnegative = rank % 2;
                const Outcome cpu = run(named.graph, strategy, options);
                options.device = Device::cuda;
                const Outcome gpu = run(named.graph, strategy, options);
                REQUIRE(gpu.result_hash == cpu.result_hash);
                if (gpu.train_edges == 0) continue;  // there is no error to compare
                REQUIRE(gpu.sweeps.back().metric("rmse_train") == cpu.sweeps.back().metric("rmse_train"));
                if (gpu.test_edges)
                    REQUIRE(gpu.sweeps.back().metric("rmse_test") == cpu.sweeps.back().metric("rmse_test"));
            }
        }
    }
}

TEST_CASE("a component a thread has the bits of four") {
    if (!gpu_or_skip()) return;
    const Graph graph = random_graph(2000, 1500, 60000, 5);
    for (const char* strategy : {"diag", "agm-e"}) {
        for (const std::uint32_t rank : {9U, 13U, 16U}) {
            INFO(strategy << ", rank " << rank);
            SgdOptions one = on(Device::cuda, rank, 3);
            one.by_component = true;
            CHECK(run(graph, find_strategy(strategy), one).result_hash ==
                  run(graph, find_strategy(strategy), on(Device::cuda, rank, 3)).result_hash);
        }
    }
}

TEST_CASE("online modes on the GPU process every edge exactly once a sweep and learn as the reference") {
    if (!gpu_or_skip()) return;
    const Graph graph = random_graph(2000, 1500, 60000, 5);
    for (const Strategy& strategy : strategies()) {
        if (strategy.deterministic()) continue;
        for (const std::uint32_t rank : ranks) {
            INFO(strategy.name << ", rank " << rank);
            const Outcome gpu = run(graph, strategy, on(Device::cuda, rank, 3));
            const Outcome reference = run(graph, strategy, on(Device::reference, rank, 3));
            for (const SweepRecord& sweep : gpu.sweeps) REQUIRE(sweep.updates == graph.edges());
            if (std::string_view(strategy.name).starts_with("el") || strategy.name == std::string("nl-el")) {
                SgdOptions once = on(Device::cuda, rank, 3);
                once.attempts = 1;
                for (const SweepRecord& sweep : run(graph, strategy, once).sweeps) {
                    REQUIRE(sweep.updates == graph.edges());
                    const double f = sweep.metric("f").value();  // a pass tries a hub's edge at most once
                    CHECK((f <= 1 && f * static_cast<double>(sweep.passes) >= 1 - 1e-9));
                }
            }
            if (strategy.races()) continue;  // lost updates on so small a graph allow no bound
            REQUIRE(*gpu.sweeps.back().metric("rmse_train") ==
                    Approx(*reference.sweeps.back().metric("rmse_train")).epsilon(0.05));
        }
    }
}
#endif

TEST_CASE("SGD on planted factors finds them") {
    // The ratings have rank 2 and no noise, so the RMSE must fall far below the spread of the ratings.
    std::vector<Triple> triples;
    for (VertexId u = 0; u < 60; ++u) {
        for (VertexId v = 0; v < 50; ++v) {
            if ((u * 7 + v * 13) % 3)
                triples.push_back({u, v,
                                   2.0F + 0.02F * static_cast<float>((u % 7) * (v % 5)) +
                                       0.1F * static_cast<float>(u % 3)});
        }
    }
    const Graph graph = build_graph(triples, 60, 50, {GraphShape::bipartite, true, true});
    SgdOptions options = on(Device::cpu, 4, 200);
    options.learning_rate = 0.02;
    options.regularisation = 0;
    options.test_fraction = 0.2;
    const Outcome outcome = run(graph, find_strategy("agm-e"), options);
    CHECK(*outcome.sweeps.back().metric("rmse_train") < 0.02);
    CHECK(*outcome.sweeps.back().metric("rmse_test") < 0.03);
}

TEST_CASE("NMF keeps every factor at or above zero") {
    const Graph graph = random_graph(100, 80, 2000, 6);
    SgdOptions options = on(Device::cpu, 6, 10);
    options.nonnegative = true;
    options.learning_rate = 0.1;
    for (const char* name : {"sgm", "el"}) {
        const Outcome outcome = run(graph, find_strategy(name), options);
        for (const float x : outcome.factors.row) REQUIRE(x >= 0);
        for (const float x : outcome.factors.col) REQUIRE(x >= 0);
    }
}

TEST_CASE("divergence stops the run and keeps the last good factors") {
    const Graph graph = random_graph(100, 80, 2000, 6);
    SgdOptions options = on(Device::cpu, 8, 50);
    options.learning_rate = 3;
    const Outcome outcome = run(graph, find_strategy("agm-e"), options);
    CHECK(outcome.status == "diverged");
    CHECK_THAT(outcome.message, Catch::Contains("learning rate"));
    for (const float x : outcome.factors.row) REQUIRE(std::isfinite(x));
}

TEST_CASE("early stopping returns the factors of the best test RMSE") {
    const Graph graph = random_graph(150, 100, 1500, 8);  // random ratings: training overfits
    SgdOptions options = on(Device::cpu, 32, 500);
    options.test_fraction = 0.3;
    options.patience = 3;
    options.regularisation = 0;
    options.learning_rate = 0.05;
    const Outcome outcome = run(graph, find_strategy("sgm"), options);
    REQUIRE(outcome.status == "stopped-early");
    std::size_t best = 0;
    for (std::size_t i = 0; i < outcome.sweeps.size(); ++i) {
        if (*outcome.sweeps[i].metric("rmse_test") < *outcome.sweeps[best].metric("rmse_test")) best = i;
    }
    CHECK(outcome.sweeps.size() == best + 1 + 3);
    options.patience = 0;
    options.sweeps = best + 1;
    CHECK(run(graph, find_strategy("sgm"), options).result_hash == outcome.result_hash);
}

TEST_CASE("the split holds out the fraction asked for, by seed") {
    const auto count = [](const std::vector<bool>& held) {
        return std::count(held.begin(), held.end(), true);
    };
    CHECK(hold_out(1000, 0, 1).empty());
    CHECK(count(hold_out(100000, 0.25, 1)) == Approx(25000).epsilon(0.02));
    CHECK(hold_out(1000, 0.5, 1) == hold_out(1000, 0.5, 1));
    CHECK(hold_out(1000, 0.5, 1) != hold_out(1000, 0.5, 2));
}

TEST_CASE("learning-rate schedules") {
    SgdOptions o;
    o.learning_rate = 0.1, o.decay = 0.5;
    CHECK(learning_rate(o, 7) == 0.1);
    o.rate_schedule = RateSchedule::inverse;
    CHECK(learning_rate(o, 0) == 0.1);
    CHECK(learning_rate(o, 2) == Approx(0.05));
    o.rate_schedule = RateSchedule::exponential;
    CHECK(learning_rate(o, 2) == Approx(0.025));
}

TEST_CASE("impossible options are refused") {
    const Graph graph = paper_graph();
    const auto refused = [&](auto change) {
        SgdOptions options = on(Device::cpu);
        change(options);
        try {
            run(graph, find_strategy("el"), options);
        } catch (const Error& e) {
            return e.failure() == Failure::usage;
        }
        return false;
    };
    CHECK(refused([](SgdOptions& o) { o.rank = 0; }));
    CHECK(refused([](SgdOptions& o) { o.rank = 257; }));
    CHECK(refused([](SgdOptions& o) { o.learning_rate = 0; }));
    CHECK(refused([](SgdOptions& o) { o.learning_rate = std::nan(""); }));
    CHECK(refused([](SgdOptions& o) { o.test_fraction = 1; }));
    CHECK(refused([](SgdOptions& o) { o.patience = 2; }));
    CHECK(refused([](SgdOptions& o) { o.regularisation = -1; }));
}
