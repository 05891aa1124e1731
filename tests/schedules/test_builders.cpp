// Tests that every builder's schedule is exact: on all graphs of the battery, on all small graphs and on
// random ones.
#include <cstdlib>

#include "insight/build_options.hpp"
#include "proved.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

void check_every_schedule(const Graph& graph, const BuildOptions& options) {
    for (const Builder& builder : builders()) {
        const Schedule schedule = builder.build(graph, options);
        INFO(builder.name);
        require_verified(verify(graph, schedule));
        REQUIRE(schedule.name == builder.name);
        if (schedule.disjoint == Disjoint::both && !schedule.has(Level::task) && !schedule.has(Level::step) &&
            schedule.locked == 0) {
            REQUIRE(statistics(schedule).rounds >= max_degree(graph).both());
        }
    }
}

BuildOptions small_options() {
    BuildOptions options = insight::default_build_options();
    options.workers = 7;
    options.parts = 3;
    options.hub_items = 2;
    return options;
}

}  // namespace

TEST_CASE("every schedule of the battery is exact") {
    for (const NamedGraph& named : graph_battery()) {
        INFO(named.name);
        check_every_schedule(named.graph, small_options());
        check_every_schedule(named.graph, insight::default_build_options());
    }
}

TEST_CASE("every schedule of all 4,096 bipartite 3 x 4 graphs is exact") {
    BuildOptions options = small_options();
    options.workers = 2;
    options.block_rows = options.block_cols = 2;
    for (unsigned mask = 0; mask < 4096; ++mask) {
        std::vector<std::pair<VertexId, VertexId>> edges;
        for (unsigned bit = 0; bit < 12; ++bit) {
            if (mask >> bit & 1) edges.emplace_back(bit / 4, bit % 4);
        }
        INFO("mask " << mask);
        check_every_schedule(graph_of(3, 4, edges), options);
    }
}

TEST_CASE("every schedule of random graphs is exact, and a function of graph and options alone") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Graph graph = random_graph(30 + seed, 90 - seed, 40 * (seed % 13), seed);
        INFO("seed " << seed);
        check_every_schedule(graph, small_options());
        for (const Builder& builder : builders()) {
            const Schedule a = builder.build(graph, small_options()),
                           b = builder.build(graph, small_options());
            REQUIRE(a.order == b.order);
            REQUIRE(a.offsets == b.offsets);
            REQUIRE(a.col_order == b.col_order);
        }
    }
}

TEST_CASE("first-fit gives the classes of Algorithm 1 read literally") {
    for (const NamedGraph& named : graph_battery()) {
        INFO(named.name);
        REQUIRE(maximal_matchings(named.graph) == repeated_maximal_matchings(named.graph));
    }
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        // Both orientations: more rows than columns, and more columns than rows.
        const Graph graph = seed % 2 ? random_graph(20, 200, 900, seed) : random_graph(200, 20, 900, seed);
        REQUIRE(maximal_matchings(graph) == repeated_maximal_matchings(graph));
    }
}

TEST_CASE("the seed decides the shuffle") {
    const Graph graph = random_graph(50, 50, 500, 3);
    BuildOptions other = small_options();
    other.seed = 2;
    CHECK(build_shuffle(graph, small_options().seed).order != build_shuffle(graph, other.seed).order);
}

TEST_CASE("EL+SGM puts exactly the edges of the hub items under locks") {
    const Graph graph = random_graph(100, 60, 2000, 5);
    BuildOptions options = small_options();
    options.hub_items = 5;
    const Schedule schedule = build_el_sgm(graph, options, options.seed);
    auto degrees = col_degrees(graph);
    std::sort(degrees.rbegin(), degrees.rend());
    CHECK(schedule.locked == degrees[0] + degrees[1] + degrees[2] + degrees[3] + degrees[4]);
}

TEST_CASE("METIS survives more parts than vertices, one part and no edges, and refuses nothing valid") {
    for (const VertexId parts : {1U, 2U, 64U, 100000U}) {
        BuildOptions options = insight::default_build_options();
        options.parts = parts;
        for (const NamedGraph& named : graph_battery()) {
            INFO(named.name << ", parts " << parts);
            REQUIRE(verify(named.graph, build_metis(named.graph, options.parts, options.seed)).ok());
        }
    }
}

TEST_CASE("builders that choose sizes for a device refuse options without its figures") {
    const Graph graph = random_graph(30, 20, 100, 1);
    for (const char* name : {"tiled", "local", "blocked", "stars", "agm-n", "sgm"}) {
        INFO(name);
        CHECK_THROWS_AS(find_builder(name).build(graph, {}), ScheduleError);
    }
    CHECK(find_builder("agm-e").build(graph, {}).order.size() == 100);
}

TEST_CASE("unknown schedule names are refused with the known ones") {
    CHECK_THROWS_WITH(find_builder("agm-x"), Catch::Contains("agm-e") && Catch::Contains("blkdiag"));
}

TEST_CASE("repeated pairs are treated as the policy says") {
    const std::vector<Triple> triples{{0, 1, 5}, {1, 0, 1}, {0, 1, 2}, {0, 0, 3}, {0, 1, 2}};
    const auto build = [&](RepeatPolicy policy, EdgeId* repeats) {
        return build_graph(triples, 2, 2, {GraphShape::bipartite, true, true, policy}, repeats);
    };
    EdgeId repeats = 0;
    Graph graph = build(RepeatPolicy::keep, &repeats);
    CHECK(repeats == 2);
    CHECK(graph.value == Array<float>{3, 5, 2, 2, 1});
    CHECK(given_order(graph) == Array<EdgeId>{1, 4, 2, 0, 3});
    graph = build(RepeatPolicy::last, &repeats);
    CHECK(repeats == 2);
    CHECK(graph.value == Array<float>{3, 2, 1});
    CHECK(given_order(graph) == Array<EdgeId>{1, 2, 0});
    CHECK(build(RepeatPolicy::first, nullptr).value == Array<float>{3, 5, 1});
    CHECK(build(RepeatPolicy::sum, nullptr).value == Array<float>{3, 9, 1});
    CHECK(build(RepeatPolicy::mean, nullptr).value == Array<float>{3, 3, 1});
    CHECK_THROWS_AS(build(RepeatPolicy::refuse, nullptr), Error);
    CHECK_THROWS_AS(build_graph({{2, 0, 1}}, 2, 2, {GraphShape::bipartite, true, true}), Error);
}

TEST_CASE("statistics: chain, steps and the fullest place, by hand") {
    Schedule s;  // two phases of two tiles each
    for (EdgeId e = 0; e < 10; ++e) s.order.push_back(e);
    s.level(Level::phase) = {0, 2, 4};
    s.level(Level::tile) = {0, 1, 3, 4, 5};         // number of steps of the tiles: 1, 2, 1, 1
    s.level(Level::step) = {0, 2, 3, 4, 5, 6};      // number of tasks of the steps: 2, 1, 1, 1, 1
    s.level(Level::task) = {0, 3, 4, 6, 7, 9, 10};  // number of edges of the tasks: 3 1 | 2 | 1 | 2 | 1
    const ScheduleStatistics t = statistics(s);
    CHECK(t.rounds == 2);
    CHECK(t.chain == 5);    // first position: 3 + 2; second: 2 + 1 + 1
    CHECK(t.steps == 3);    // second position: 2 + 1
    CHECK(t.fullest == 6);  // first position: 4 + 2
    Schedule blocks;
    blocks.order = s.order;
    blocks.level(Level::phase) = {0, 2, 3};
    blocks.level(Level::task) = {0, 4, 9, 10};
    CHECK(statistics(blocks).chain == 6);
}

TEST_CASE("degree statistics and column reuse, by hand") {
    const std::vector<EdgeId> degrees{0, 1, 1, 2, 3, 8};
    const DegreeStatistics d = statistics(degrees);
    CHECK(d.largest == 8);
    CHECK(d.squares == 79);
    CHECK(d.histogram == std::vector<EdgeId>{2, 2, 0, 1});
    CHECK(statistics(std::span<const EdgeId>{}).histogram.empty());
    CHECK(column_reuse(test::graph_of(2, 4, {{0, 0}, {0, 1}, {1, 0}, {1, 1}})) == 0.5);
    CHECK(column_reuse(test::graph_of(1, 1, {})) == 0);
}
