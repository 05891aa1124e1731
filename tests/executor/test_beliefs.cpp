// Tests of belief propagation: known values, bitwise equality, weights of every kind, verification.
#include <random>

#include "apps/bp.hpp"
#include "apps/frame/arcs.hpp"
#include "catch.hpp"
#include "executor_support.hpp"
#include "square_graphs.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::bp;
using namespace lockstep::test;

namespace {

ArcOptions on(Device device, std::uint64_t rounds = 20) {
    ArcOptions options;
    options.device = device;
    options.rounds = rounds;
    return options;
}

Outcome run(const Graph& graph, const Strategy& strategy, const ArcOptions& options) {
    const std::optional<Schedule> schedule = schedule_for(graph, strategy);
    return run_beliefs(graph, strategy, schedule ? &*schedule : nullptr, options, {});
}

enum class Kind { none, bytes, reals };

/// Returns the graph with weights of one kind, one of which is 0.
Graph with_weights(Graph graph, Kind kind) {
    if (kind == Kind::none) return graph;
    std::mt19937 random(7);
    graph.value.resize(graph.edges());
    for (float& weight : graph.value)
        weight = static_cast<float>(random() % 256) / (kind == Kind::bytes ? 1.0F : 77.0F);
    return graph;
}

const Strategy& pull() { return find_strategy("pull", "pagerank"); }

std::string problem_of(const Graph& graph, const std::vector<float>& beliefs, std::uint64_t rounds = 20) {
    return check_values(beliefs, reference_beliefs(graph, rounds), "belief").problem;
}

}  // namespace

TEST_CASE("beliefs that can be found by hand") {
    // Arcs and weights: 0 -> 1 (2), 0 -> 2 (6), 1 -> 0 (4), 2 -> 0 (4). The sums are 8/3, 2/3, 2 in the first
    // round, and then 8/16 * (…).
    Graph graph = square_graph(3, {{0, 1}, {0, 2}, {1, 0}, {2, 0}});
    graph.value = Array<float>(4);
    const float weights[] = {2, 6, 4, 4};
    std::copy(std::begin(weights), std::end(weights), graph.value.begin());
    Outcome outcome = run(graph, pull(), on(Device::cpu, 1));
    CHECK(outcome.values[0] == Approx(8.0 / 16));
    CHECK(outcome.values[1] == Approx(2.0 / 16));
    CHECK(outcome.values[2] == Approx(6.0 / 16));
    CHECK(outcome.rounds[0].growth == Approx(0.5 * 8 + 0.5 * 4));
    outcome = run(graph, pull(), on(Device::cpu, 2));
    CHECK(outcome.values[0] == Approx(2.0 / 6));
    CHECK(outcome.values[2] == Approx(3.0 / 6));
    // A path passes its beliefs on until no vertex is left.
    graph = square_graph(4, {{0, 1}, {1, 2}, {2, 3}});
    CHECK(run(graph, pull(), on(Device::cpu, 3)).values == std::vector<float>{0, 0, 0, 1});
    CHECK(run(graph, pull(), on(Device::cpu, 4)).values == std::vector<float>(4, 0));
}

TEST_CASE("every variant gives the beliefs of the reference, and one and the same bits") {
    for (const NamedGraph& named : square_battery(false)) {
        const Schedule degree = build_degree(named.graph);
        for (const Kind kind : {Kind::none, Kind::bytes, Kind::reals}) {
            const Graph graph = with_weights(named.graph, kind);
            std::string hash;
            for (const Strategy& strategy : strategies("pagerank")) {
                const std::optional<Schedule> own = schedule_for(graph, strategy);
                for (const Schedule* schedule : {own ? &*own : nullptr, &degree}) {
                    if (own && schedule != &*own) continue;
                    for (const int threads : {1, 3}) {
                        INFO(named.name << ", " << strategy.name << ", kind " << static_cast<int>(kind)
                                        << ", order " << (schedule ? schedule->name : "given"));
                        ArcOptions options = on(Device::cpu, 9);
                        options.threads = threads;
                        const Outcome outcome = run_beliefs(graph, strategy, schedule, options, {});
                        if (hash.empty()) {
                            REQUIRE(problem_of(graph, outcome.values, 9).empty());
                            hash = outcome.result_hash;
                        }
                        REQUIRE(outcome.result_hash == hash);
                    }
                }
            }
        }
    }
}

#if defined(LOCKSTEP_HAS_CUDA)
TEST_CASE("beliefs on the GPU have the bits of the CPU, for every variant and on 20 repeats") {
    if (!gpu_or_skip()) return;
    for (const NamedGraph& named : square_battery(false)) {
        for (const Kind kind : {Kind::none, Kind::bytes, Kind::reals}) {
            const Graph graph = with_weights(named.graph, kind);
            const Outcome cpu = run(graph, pull(), on(Device::cpu));
            ArcOptions options = on(Device::cuda);
            options.repeats = kind == Kind::bytes ? 20 : 2;
            for (const Strategy& strategy : strategies("pagerank")) {
                for (const int width : {1, 8, 64}) {
                    if (!strategy.walk.virtual_warps && width > 1) continue;
                    INFO(named.name << ", " << strategy.name << ", kind " << static_cast<int>(kind)
                                    << ", warps of " << width);
                    options.warp_size = strategy.walk.virtual_warps ? width : 0;
                    const Outcome gpu = run(graph, strategy, options);
                    REQUIRE(gpu.result_hash == cpu.result_hash);
                    REQUIRE(gpu.rounds.size() == cpu.rounds.size());
                    for (std::size_t r = 0; r < gpu.rounds.size(); ++r)
                        REQUIRE(gpu.rounds[r].growth == cpu.rounds[r].growth);
                }
            }
        }
    }
}
#endif

TEST_CASE("the proof finds 100 of 100 corrupted beliefs") {
    const Graph graph = with_weights(square_battery(true)[11].graph, Kind::bytes);
    const std::vector<float> good = run(graph, pull(), on(Device::cpu)).values;
    REQUIRE(problem_of(graph, good) == "");
    std::mt19937 random(5);
    int found = 0;
    for (int fault = 0; fault < 100; ++fault) {
        auto bad = good;
        VertexId v = 0;
        do v = random() % graph.rows;
        while (good[v] == 0);
        if (fault % 3 == 0) bad[v] *= fault % 2 ? 1.0001F : 0.9999F;
        if (fault % 3 == 1) bad[v] = 0;
        if (fault % 3 == 2) bad[v] = std::numeric_limits<float>::quiet_NaN();
        found += !problem_of(graph, bad).empty();
    }
    CHECK(found == 100);
    CHECK_FALSE(problem_of(graph, good, 3).empty());  // the beliefs of another round
}

TEST_CASE("what is no likelihood is refused") {
    for (const float weight : {-1.0F, 1e-9F, 1e13F}) {
        Graph graph = square_graph(3, {{0, 1}, {1, 2}, {2, 0}});
        graph.value = Array<float>(3);
        std::fill(graph.value.begin(), graph.value.end(), 1.0F);
        graph.value[1] = weight;
        CHECK(refused_likelihood(graph) == 1);
        CHECK_THROWS_AS(run(graph, pull(), on(Device::cpu)), Error);
        graph.value[1] = 0;
        CHECK(refused_likelihood(graph) == 3);
    }
    CHECK_THROWS_AS(run(square_graph(2, {{0, 1}}), pull(), on(Device::cpu, 0)), Error);
}
