// Tests of PageRank: known values, bitwise equality, dangling vertices, verification.
#include <cmath>
#include <random>

#include "apps/frame/arc_work.hpp"
#include "lockstep/executor/arc/pull.hpp"
#include "pagerank_support.hpp"

using namespace lockstep;
using namespace lockstep::pagerank;
using namespace lockstep::test;

TEST_CASE("ranks that can be found by hand") {
    // The arcs are 0 -> 1 and 2 -> 1. The ranks are those after one round from thirds, with d = 0.85 and the
    // dangling third of vertex 1 spread.
    const Graph graph = square_graph(3, {{0, 1}, {2, 1}});
    PageRankOptions options = on(Device::cpu, 1);
    const double base = 0.15 / 3 + 0.85 * (1.0 / 3) / 3;
    std::vector<float> ranks = run(graph, pull(), options).values;
    CHECK(ranks[0] == Approx(base));
    CHECK(ranks[1] == Approx(base + 0.85 * 2 / 3));
    CHECK(ranks[2] == Approx(base));
    options.dangling = Dangling::lost;
    ranks = run(graph, pull(), options).values;
    CHECK(ranks[0] == Approx(0.05));
    CHECK(ranks[1] == Approx(0.05 + 0.85 * 2 / 3));
    // An arc that occurs twice counts twice: vertex 0 gives two thirds of its rank to vertex 1.
    options.dangling = Dangling::spread;
    ranks = run(square_graph(3, {{0, 1}, {0, 1}, {0, 2}, {1, 0}, {2, 0}}), pull(), options).values;
    CHECK(ranks[1] == Approx(0.05 + 0.85 / 3 * 2 / 3));
    CHECK(ranks[2] == Approx(0.05 + 0.85 / 3 / 3));
}

TEST_CASE("every variant gives the ranks of the reference, and one and the same bits") {
    for (const NamedGraph& named : square_battery(false)) {
        const Schedule degree = build_degree(named.graph), metis = build_metis(named.graph);
        for (const Dangling dangling : {Dangling::spread, Dangling::lost}) {
            std::string hash;
            for (const Strategy& strategy : strategies("pagerank")) {
                const std::optional<Schedule> own = schedule_for(named.graph, strategy);
                for (const Schedule* schedule : {own ? &*own : nullptr, &degree, &metis}) {
                    if (own && schedule != &*own) continue;
                    for (const int threads : {1, 3}) {
                        INFO(named.name << ", " << strategy.name << ", order "
                                        << (schedule ? schedule->name : "given") << ", threads " << threads);
                        PageRankOptions options = on(Device::cpu, 12);
                        options.threads = threads;
                        options.dangling = dangling;
                        const Outcome outcome = run_pagerank(named.graph, strategy, schedule, options);
                        REQUIRE(outcome.rounds.size() == (named.graph.rows ? 12 : 0));
                        if (hash.empty()) {
                            const ArcCheck check = check_ranks(named.graph, outcome.values, 12, options);
                            INFO(check.problem);
                            REQUIRE(check.problem.empty());
                            REQUIRE(check.distance <= 1e-6);
                            hash = outcome.result_hash;
                        }
                        REQUIRE(outcome.result_hash == hash);
                    }
                }
            }
        }
    }
}

TEST_CASE("sums of floats are off by no more than their rounding allows") {
    for (const NamedGraph& named : square_battery(false)) {
        for (const Strategy& strategy : strategies("pagerank")) {
            std::string hash;
            const double most = max_degree(named.graph).col + 10.0;
            for (const int threads : {1, 3}) {
                INFO(named.name << ", " << strategy.name << ", threads " << threads);
                PageRankOptions options = on(Device::cpu, 12);
                options.threads = threads;
                options.float_sums = true;
                options.repeats = 2;
                const Outcome outcome = run(named.graph, strategy, options);
                const ArcCheck check = check_ranks(named.graph, outcome.values, 12, options);
                INFO(check.problem);
                REQUIRE(check.problem.empty());
                // The bound is the rounding error of a round, relative to the largest sum, which the damping
                // passes on.
                REQUIRE(check.allowed <= 1.1 * 0.85 / 0.15 * most * 0x1p-24);
                const bool scatters =
                    strategy.policy == Policy::atomics && !(strategy.walk == arc::PullPush::facts);
                REQUIRE(outcome.same_bits == !scatters);
                if (hash.empty()) hash = outcome.result_hash;
                if (outcome.same_bits) REQUIRE(outcome.result_hash == hash);
            }
        }
    }
}

TEST_CASE("the rounding that is allowed is not all that could go wrong") {
    // Vertex 0 has 3,000 in-arcs, vertex 1 has two: a lost arc changes the rank of vertex 1 by more than its
    // bound, which is not that of vertex 0.
    std::vector<std::pair<VertexId, VertexId>> arcs{{0, 1}, {2, 1}};
    for (VertexId v = 1; v <= 3000; ++v) arcs.push_back({v, 0});
    const Graph graph = square_graph(3001, arcs);
    PageRankOptions options = on(Device::cpu, 12);
    options.float_sums = true;
    std::vector<float> ranks = run(graph, pull(), options).values;
    REQUIRE(check_ranks(graph, ranks, 12, options).problem.empty());
    const std::vector<double> bounds = rounding_bounds(graph, 12, options);
    CHECK(bounds[0] / ranks[0] > 3000 * 0x1p-24);
    CHECK(bounds[2] / ranks[2] < 100 * 0x1p-24);
    ranks[2] *= 1.00002F;
    CHECK_THAT(check_ranks(graph, ranks, 12, options).problem, Catch::Contains("vertex 2"));
}

TEST_CASE("a CPU's sums are exact, in double precision where that is and in whole numbers where it is not") {
    std::mt19937 random(3);
    std::vector<float> offers(4000);
    // Single offers exceed 2^53 with the exponent 56, sums of offers with 52; neither does with 20 and 40.
    for (const int exponent : {20, 40, 52, 56}) {
        for (float& offer : offers)
            offer =
                std::trunc(std::ldexp(static_cast<float>(random() >> 8), exponent - 24 - int(random() % 30)));
        PageRankOperator<true> op{};
        op.from = offers.data();
        std::vector<VertexId> sources;
        std::vector<EdgeId> ends{0};
        std::vector<std::int64_t> expected;
        for (const EdgeId arcs : {0, 1, 15, 16, 17, 300, 0, 33, 500, 1}) {
            expected.push_back(0);
            for (EdgeId i = 0; i < arcs; ++i) {
                sources.push_back(static_cast<VertexId>(random() % offers.size()));
                expected.back() += static_cast<std::int64_t>(offers[sources.back()]);
            }
            ends.push_back(sources.size());
        }
        const Offsets in(ends);
        const auto count = static_cast<VertexId>(expected.size());
        std::vector<std::int64_t> each(count), running(count);
        arc::sum_each(op, sources.data(), {}, in.view(), 0, count, each.data());
        arc::sum_running(op, sources.data(), {}, in.view(), 0, count, running.data());
        INFO("offers up to 2^" << exponent);
        CHECK(each == expected);
        CHECK(running == expected);
    }
}

TEST_CASE("what a vertex of very many arcs offers is a whole number, too") {
    const std::uint32_t ends[] = {0, 3'000'000'000};
    float offer = -1, rank = -1;
    PageRankOperator<true> op{};
    op.out = {ends, nullptr};
    op.to = &offer, op.rank = &rank;
    op.base = 2e-9;  // 3.07 units per arc
    PageRankOperator<true>::Tally tally{};
    op.finish(0, 0, tally);
    CHECK(offer == 3);
}

#if defined(LOCKSTEP_HAS_CUDA)
TEST_CASE("the GPU gives the bits of the CPU, for every variant and on 20 repeats") {
    if (!gpu_or_skip()) return;
    for (const NamedGraph& named : square_battery(false)) {
        for (const double tolerance : {0.0, 1e-4}) {
            PageRankOptions options = on(Device::cpu, 70);  // more rounds than the first launch has
            options.tolerance = tolerance;
            const Outcome cpu = run(named.graph, pull(), options);
            options.device = Device::cuda;
            options.repeats = tolerance > 0 ? 2 : 20;
            for (const Strategy& strategy : strategies("pagerank")) {
                for (const int width : {1, 4, 32, 64}) {
                    if (!strategy.walk.virtual_warps && width > 1) continue;
                    INFO(named.name << ", " << strategy.name << ", warps of " << width << ", tolerance "
                                    << tolerance);
                    options.warp_size = strategy.walk.virtual_warps ? width : 0;
                    options.chunk = strategy.walk.virtual_warps ? 1 + width % 10 : 1;
                    const Outcome gpu = run(named.graph, strategy, options);
                    REQUIRE(gpu.result_hash == cpu.result_hash);
                    REQUIRE(gpu.rounds.size() == cpu.rounds.size());
                    for (std::size_t r = 0; r < gpu.rounds.size(); ++r) {
                        REQUIRE(gpu.rounds[r].change == cpu.rounds[r].change);
                        REQUIRE(gpu.rounds[r].dangling == cpu.rounds[r].dangling);
                    }
                }
            }
        }
    }
}

TEST_CASE("the GPU's sums of floats are within their rounding, and a pull's are the CPU's") {
    if (!gpu_or_skip()) return;
    for (const NamedGraph& named : square_battery(false)) {
        PageRankOptions options = on(Device::cpu, 12);
        options.float_sums = true;
        const std::string cpu = run(named.graph, pull(), options).result_hash;
        options.device = Device::cuda;
        options.repeats = 3;
        for (const Strategy& strategy : strategies("pagerank")) {
            INFO(named.name << ", " << strategy.name);
            const Outcome outcome = run(named.graph, strategy, options);
            const ArcCheck check = check_ranks(named.graph, outcome.values, 12, options);
            INFO(check.problem);
            REQUIRE(check.problem.empty());
            if (strategy.walk == arc::Pull::facts) REQUIRE(outcome.result_hash == cpu);
        }
    }
}
#endif

TEST_CASE("a tolerance stops the rounds, and the distance falls by the damping") {
    const Graph graph = square_battery(false)[11].graph;
    PageRankOptions options = on(Device::cpu, 500);
    options.tolerance = 1e-5;
    const Outcome outcome = run(graph, pull(), options);
    REQUIRE(outcome.rounds.size() < 500);
    REQUIRE(outcome.rounds.back().change <= 1e-5);
    REQUIRE(outcome.rounds[outcome.rounds.size() - 2].change > 1e-5);
    for (std::size_t r = 1; r < outcome.rounds.size(); ++r)
        REQUIRE(outcome.rounds[r].change <= 0.85 * outcome.rounds[r - 1].change + 1e-6);
    CHECK(check_ranks(graph, outcome.values, outcome.rounds.size(), {}).residual.value() <= 1e-5);
}

TEST_CASE("an interrupted run still has the ranks of its last round") {
    const Graph graph = square_battery(false)[11].graph;
    for (const char* name : {"pull", "pull-nodiv", "push"}) {
        const Strategy& strategy = find_strategy(name, "pagerank");
        int calls = 0;
        RunCallbacks callbacks;
        callbacks.interrupted = [&] { return ++calls >= 5; };
        const Outcome outcome = run_pagerank(graph, strategy, nullptr, on(Device::cpu, 100), callbacks);
        INFO(name);
        CHECK(outcome.status == "interrupted");
        CHECK(outcome.rounds.size() == 6);
        CHECK(check_ranks(graph, outcome.values, 6, {}).problem.empty());
    }
}

TEST_CASE("the proof finds corrupted ranks") {
    const Graph graph = square_battery(false)[11].graph;
    const std::vector<float> good = run(graph, pull(), on(Device::cpu)).values;
    const auto problem = [&](const std::vector<float>& ranks, std::uint64_t rounds = 30) {
        return check_ranks(graph, ranks, rounds, {}).problem;
    };
    REQUIRE(problem(good).empty());
    VertexId found = 0;
    for (VertexId v = 0; v < 50; ++v) {
        auto bad = good;
        bad[v] *= 1.0001F;
        found += !problem(bad).empty();
    }
    CHECK(found == 50);
    auto bad = good;
    const auto largest = std::max_element(bad.begin(), bad.end()),
               smallest = std::min_element(bad.begin(), bad.end());
    std::iter_swap(largest, smallest);
    CHECK_THAT(problem(bad), Catch::Contains("the error of the ranks is"));
    bad = good;
    bad[17] = std::numeric_limits<float>::quiet_NaN();
    CHECK_FALSE(problem(bad).empty());
    CHECK_FALSE(problem(good, 3).empty());  // the ranks of another round
    CHECK_THAT(problem({1.0F}), Catch::Contains("1 ranks"));
}

TEST_CASE("the work models are the source's") {
    const EdgeId v = 1000, e = 7000;
    const auto work = [&](const char* name) { return arc::work_of(find_strategy(name, "pagerank"), v, e); };
    for (const char* name : {"push", "push-warp"}) {
        CHECK(work(name).reads == 5 * v);
        CHECK(work(name).writes == 2 * v);
        CHECK(work(name).atomics == v + e);
    }
    CHECK(work("pull").reads == 3 * e + 2 * v);
    CHECK(work("pull").writes == 3 * v);
    CHECK(work("pull").atomics == v);
    CHECK(work("pull-nodiv").reads == e + 4 * v);
    CHECK(work("edge-soa").reads == 3 * e + 2 * v);
    CHECK(work("edge-aos").atomics == v + e);
    CHECK(work("edge-tiled").atomics == 0);
}

TEST_CASE("auto takes a schedule of the file, else the variant that fits the degrees") {
    const auto none = [](const std::string&) { return false; };
    CHECK(arc::choose_walk({4, 4}, 1000, 3900, none).first == "pull-nodiv");
    CHECK(arc::choose_walk({900, 900}, 1000, 9000, none).first == "pull-nodiv-warp");
    CHECK(arc::choose_walk({900, 900}, 1000, 9000, [](const std::string& name) {
              return name == "edge-tiled";
          }).first == "edge-tiled");
}

TEST_CASE("the search for a shape of virtual warps keeps what is faster, and no more") {
    std::vector<arc::VirtualWarps> measured;
    const auto search = [&](double start, auto cost) {
        measured.clear();
        return arc::find_faster_shape({4, 1}, start, [&](const arc::VirtualWarps& warps) {
            warps.check();
            measured.push_back(warps);
            return cost(warps);
        });
    };
    const auto steep = [](const arc::VirtualWarps& w) {
        return std::optional<double>(std::abs(w.width - 16) + std::abs(w.chunk - 3));
    };
    const arc::VirtualWarps best = search(14, steep);
    CHECK(best.width == 16);
    CHECK(best.chunk == 3);
    CHECK(measured.size() == 6 + 9);  // the shape that the search begins with is not measured again
    const arc::VirtualWarps start = search(0, steep),
                            none = search(14, [](const auto&) { return std::optional<double>(); });
    for (const arc::VirtualWarps& same : {start, none}) {
        CHECK(same.width == 4);
        CHECK(same.chunk == 1);
    }
}

TEST_CASE("options of PageRank that cannot be are refused") {
    const Graph graph = square_graph(2, {{0, 1}});
    const auto refused = [&](auto change) {
        PageRankOptions options = on(Device::cpu);
        change(options);
        CHECK_THROWS_AS(run(graph, pull(), options), Error);
    };
    refused([](auto& o) { o.damping = 1; });
    refused([](auto& o) { o.damping = std::nan(""); });
    refused([](auto& o) { o.rounds = 0; });
    refused([](auto& o) { o.tolerance = -1; });
    refused([](auto& o) { o.until = 1e-9; });
    refused([](auto& o) { o.until = 0.1, o.tolerance = 0.1; });
    refused([](auto& o) { o.until = 0.1, o.float_sums = true; });
    refused([](auto& o) { o.push_share = 2; });
    refused([](auto& o) { o.warp_size = 3; });
    refused([](auto& o) { o.warp_size = 128; });
    refused([](auto& o) { o.chunk = 11; });
    refused([](auto& o) { o.repeats = 0; });
}
