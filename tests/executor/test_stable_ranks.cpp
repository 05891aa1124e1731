// Tests of PageRank until no message changes: all variants give one result, and it can be verified.
#include <cmath>
#include <random>

#include "pagerank_support.hpp"

using namespace lockstep;
using namespace lockstep::pagerank;
using namespace lockstep::test;

TEST_CASE("ranks to stability: one result of all variants, whenever pushing begins, and it is proved") {
    for (const NamedGraph& named : square_battery(false)) {
        const Schedule degree = build_degree(named.graph);
        for (const Dangling dangling : {Dangling::spread, Dangling::lost}) {
            PageRankOptions options = on(Device::cpu, 1000);
            options.until = 1e-5, options.dangling = dangling;
            std::string hash;
            for (const Strategy& strategy : strategies("pagerank")) {
                const std::optional<Schedule> own = schedule_for(named.graph, strategy);
                for (const double share : {0.0, 0.3, 1.0}) {
                    if (share != 0.3 && strategy.name != std::string_view("pull-push")) continue;
                    INFO(named.name << ", " << strategy.name << ", pushed below " << share);
                    options.push_share = share;
                    options.threads = strategy.prepared ? 3 : 1;
                    const Outcome outcome =
                        run_pagerank(named.graph, strategy, own ? &*own : &degree, options);
                    if (named.graph.rows) REQUIRE(is_stable(outcome));
                    if (hash.empty()) {
                        REQUIRE(check_stable(named.graph, outcome.values, options).problem == "");
                        hash = outcome.result_hash;
                    }
                    REQUIRE(outcome.result_hash == hash);
                }
            }
        }
    }
}

TEST_CASE("pushing begins when few arcs have a change, and the rounds are the same") {
    const Graph graph = square_battery(false)[11].graph;
    PageRankOptions options = on(Device::cpu, 1000);
    options.until = 1e-6;
    const Outcome pulled = run(graph, find_strategy("edge-tiled", "pagerank"), options);
    const Outcome both = run(graph, find_strategy("pull-push", "pagerank"), options);
    REQUIRE(both.rounds.size() == pulled.rounds.size());
    int pushed = 0;
    for (std::size_t r = 0; r < both.rounds.size(); ++r) {
        CHECK(both.rounds[r].changed == pulled.rounds[r].changed);
        const bool few = both.sweeps[r].metrics[2].value > 0;
        CHECK(few == (both.rounds[r].active <= graph.edges() / 5));
        pushed += few;
        CHECK(pulled.sweeps[r].metrics[2].value == 0);
    }
    CHECK(both.rounds[0].active == graph.edges());
    CHECK(pushed > 0);
    CHECK(pushed < static_cast<int>(both.rounds.size()));
    // The ranks are those of many rounds, within the changes that may have been held back.
    const std::vector<double> expected = reference_ranks(graph, 200, {0.85, Dangling::spread});
    CHECK(check_values(both.values, expected, "rank").worst < 1e-6 / 0.15);
}

TEST_CASE("the proof of stable ranks finds 100 of 100 corrupted ones") {
    const Graph graph = square_battery(false)[11].graph;
    PageRankOptions options = on(Device::cpu, 1000);
    options.until = 1e-6;
    const std::vector<float> good = run(graph, pull(), options).values;
    REQUIRE(check_stable(graph, good, options).problem == "");
    std::mt19937 random(9);
    int found = 0;
    for (int fault = 0; fault < 100; ++fault) {
        auto bad = good;
        float& rank = bad[random() % graph.rows];
        rank *= fault % 3 == 0 ? 1.0001F : fault % 3 == 1 ? 0.9999F : std::nanf("");
        found += !check_stable(graph, bad, options).problem.empty();
    }
    CHECK(found == 100);
    CHECK_FALSE(check_stable(graph, run(graph, pull(), on(Device::cpu, 5)).values, options).problem.empty());
    CHECK_FALSE(check_stable(graph, {1.0F}, options).problem.empty());
}

#if defined(LOCKSTEP_HAS_CUDA)
TEST_CASE("stable ranks on the GPU have the bits of the CPU, for every variant and on 20 repeats") {
    if (!gpu_or_skip()) return;
    for (const NamedGraph& named : square_battery(false)) {
        PageRankOptions options = on(Device::cpu, 1000);
        options.until = 1e-6;
        const Outcome cpu = run(named.graph, pull(), options);
        options.device = Device::cuda;
        for (const Strategy& strategy : strategies("pagerank")) {
            options.repeats = strategy.name == std::string_view("pull-push") ? 20 : 2;
            INFO(named.name << ", " << strategy.name);
            const Outcome gpu = run(named.graph, strategy, options);
            REQUIRE(gpu.result_hash == cpu.result_hash);
            REQUIRE(gpu.rounds.size() == cpu.rounds.size());
            for (std::size_t r = 0; r < gpu.rounds.size(); ++r) {
                REQUIRE(gpu.rounds[r].changed == cpu.rounds[r].changed);
                REQUIRE(gpu.rounds[r].active == cpu.rounds[r].active);
            }
        }
    }
}
#endif
