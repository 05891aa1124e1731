// Every traversal visits every edge exactly once, never holds an endpoint twice, and uses its schedule.

#include "apps/device.hpp"
#include "catch.hpp"
#include "executor_support.hpp"
#include "probe_operators.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace lockstep::test {
bool gpu_or_skip() {
    std::string reason;
    if (cuda_available(&reason)) return true;
    skip(reason);
    return false;
}
}  // namespace lockstep::test

namespace {

template <class Id>
std::vector<std::uint32_t> as_counts(const std::vector<Id>& degrees) {
    return {degrees.begin(), degrees.end()};
}

bool races(const Strategy& strategy) {
    return strategy.traversal == Traversal::racing || strategy.traversal == Traversal::racing_tiles;
}

void check_probe(const Graph& graph, const Strategy& strategy, const Plan& plan, const ProbeResult& r) {
    INFO(strategy.name);
    REQUIRE(r.counts.updates == graph.edges());
    REQUIRE(r.visits == std::vector<std::uint32_t>(graph.edges(), 1));
    if (races(strategy)) return;  // may lose updates: that is what it does
    REQUIRE(r.row_updates == as_counts(row_degrees(graph)));
    REQUIRE(r.col_updates == as_counts(col_degrees(graph)));
    // Online passes have no rounds to conflict in; EL+SGM mixes both.
    if (strategy.deterministic) REQUIRE(r.conflicts == 0);
    REQUIRE(plan.edges() == graph.edges());
}

}  // namespace

TEST_CASE("CPU traversals: each edge once, no endpoint held twice, no conflict in a round") {
    for (const NamedGraph& named : graph_battery()) {
        INFO(named.name);
        for (const Strategy& strategy : strategies()) {
            const Plan plan = plan_for(named.graph, strategy);
            for (const int threads : {1, 2, 5})
                check_probe(named.graph, strategy, plan, probe_on_cpu(plan, threads));
        }
    }
}

#if defined(LOCKSTEP_HAS_CUDA)
TEST_CASE("CUDA traversals: each edge once, no endpoint held twice, no conflict in a round") {
    if (!gpu_or_skip()) return;
    for (const NamedGraph& named : graph_battery()) {
        INFO(named.name);
        for (const Strategy& strategy : strategies()) {
            const Plan plan = plan_for(named.graph, strategy);
            for (const int lanes : {1, 4, 32}) {
                INFO("lanes " << lanes);
                check_probe(named.graph, strategy, plan, probe_on_cuda(plan, lanes));
            }
        }
    }
}

TEST_CASE("CUDA traversals on a skewed graph of many small and large rounds, hubs on either side") {
    if (!gpu_or_skip()) return;
    // Column 0 has an edge to every row, row 0 to every column, and the rest is random: phases of a thread
    // block, of a cluster and of the device follow each other.
    const VertexId rows = 30000, cols = 20000;
    std::vector<Triple> triples;
    for (VertexId u = 0; u < rows; ++u) triples.push_back({u, 0, 1});
    for (VertexId v = 1; v < cols; ++v) triples.push_back({0, v, 1});
    std::uint64_t random = 1;
    for (int i = 0; i < 400000; ++i) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        triples.push_back(
            {static_cast<VertexId>((random >> 33) % rows), static_cast<VertexId>((random >> 13) % 997), 1});
    }
    const Graph graph = build_graph(triples, rows, cols, {GraphShape::bipartite, true, true});
    for (const Strategy& strategy : strategies()) {
        if (strategy.traversal == Traversal::local) continue;  // refused: no locality
        const Plan plan = plan_for(graph, strategy);
        for (const int lanes : {1, 4, 32}) {
            INFO("lanes " << lanes);
            check_probe(graph, strategy, plan, probe_on_cuda(plan, lanes));
        }
    }
}

TEST_CASE("the CUDA claim array finds a planted conflict: the kernels run the schedule they are given") {
    if (!gpu_or_skip()) return;
    const Graph graph = random_graph(400, 300, 4000, 17);
    for (const char* name : {"agm-e", "diag"}) {
        const Strategy& strategy = find_strategy(name);
        Schedule schedule = *schedule_for(graph, strategy);
        auto& phases = schedule.level(Level::phase);
        phases = {phases.front(), phases.back()};  // one phase of everything: every hub conflicts
        const Plan plan = make_plan(graph, strategy, &schedule);
        CHECK(probe_on_cuda(plan, 4).conflicts > 1000);
    }
}
#endif

TEST_CASE("the claim array finds planted conflicts on the CPU") {
    const Graph graph = random_graph(400, 300, 4000, 17);
    const Strategy& strategy = find_strategy("agm-e");
    Schedule schedule = *schedule_for(graph, strategy);
    auto& phases = schedule.level(Level::phase);
    phases = {phases.front(), phases.back()};
    CHECK(probe_on_cpu(make_plan(graph, strategy, &schedule), 1).conflicts > 1000);
}

TEST_CASE("a plan leaves out exactly the held-out edges") {
    const Graph graph = random_graph(100, 80, 1500, 4);
    std::vector<bool> held_out(graph.edges());
    EdgeId held = 0;
    for (EdgeId e = 0; e < graph.edges(); e += 3) held_out[e] = true, ++held;
    for (const Strategy& strategy : strategies()) {
        INFO(strategy.name);
        const Plan plan = plan_for(graph, strategy, held_out);
        REQUIRE(plan.edges() == graph.edges() - held);
        std::vector<bool> seen(graph.edges());
        for (EdgeId i = 0; i < plan.edges(); ++i) {
            const EdgeId e = plan.id[i];
            REQUIRE_FALSE(held_out[e]);
            REQUIRE_FALSE(seen[e]);
            seen[e] = true;
            REQUIRE(plan.col[i] == graph.col[e]);
            REQUIRE(plan.value[i] == graph.weight(e));
            REQUIRE(graph.row_offsets[plan.row[i]] <= e);
            REQUIRE(e < graph.row_offsets[plan.row[i] + 1]);
        }
        const ProbeResult r = probe_on_cpu(plan, 2);
        REQUIRE(r.visits == std::vector<std::uint32_t>(plan.edges(), 1));
        if (strategy.deterministic) REQUIRE(r.conflicts == 0);
    }
}

TEST_CASE("an illegal plan is refused with the reason") {
    const Graph graph = paper_graph();
    Schedule schedule = build_agm_e(graph, {});
    schedule.disjoint = Disjoint::col;
    const Strategy& agm_e = find_strategy("agm-e");
    CHECK_THROWS_WITH(make_plan(graph, agm_e, &schedule), Catch::Contains("disjoint on col only"));
    CHECK_NOTHROW(make_plan(graph, agm_e, &schedule, Endpoints::col));
    CHECK_THROWS_AS(make_plan(graph, agm_e, &schedule, Endpoints::row), ScheduleError);
    CHECK_THROWS_AS(make_plan(graph, agm_e, nullptr), ScheduleError);
    const Schedule other = build_agm_e(random_graph(6, 4, 11, 1), {});
    CHECK_THROWS_WITH(make_plan(graph, agm_e, &other), Catch::Contains("another graph"));
}

TEST_CASE("online strategies take an edge or a vertex order") {
    const Graph graph = random_graph(60, 50, 700, 9);
    const Schedule degree = build_degree(graph, {});
    const Plan nl = make_plan(graph, find_strategy("nl"), &degree);
    CHECK(nl.residents == degree.col_order);
    const Plan el = make_plan(graph, find_strategy("el"), &degree);
    CHECK(el.row.front() == degree.row_order.front());
    CHECK(probe_on_cpu(el, 2).visits == std::vector<std::uint32_t>(graph.edges(), 1));
    CHECK(probe_on_cpu(nl, 2).visits == std::vector<std::uint32_t>(graph.edges(), 1));
}

TEST_CASE("NL begins with the items of many edges and keeps the order of the others") {
    const Plan nl = plan_for(hubs(), find_strategy("nl"));
    std::vector<VertexId> expected{7, 50};
    for (VertexId v = 0; v < 120; ++v) {
        if (v != 7 && v != 50) expected.push_back(v);
    }
    CHECK(nl.residents == expected);
    CHECK(nl.item_edges[1] == 900);
}

TEST_CASE("EL begins with as many edges at a time as meet one or two others, and cuts clustered orders") {
    std::vector<Triple> triples;  // every third cell, a row after the other
    for (VertexId u = 0; u < 600; ++u) {
        for (VertexId v = u % 3; v < 300; v += 3) triples.push_back({u, v, 1});
    }
    const Graph graph = build_graph(triples, 600, 300, {GraphShape::bipartite, true, true});
    const Plan shuffled = plan_for(graph, find_strategy("el-shuffled"));
    CHECK_FALSE(shuffled.locked_in_blocks);
    CHECK(shuffled.locked_workers == 300);  // the chance that two edges meet is 1 / 600 + 1 / 300
    CHECK(plan_for(graph, find_strategy("nl-el")).locked_workers == 300);
    const Plan given = plan_for(graph, find_strategy("el"));
    CHECK(given.locked_in_blocks);
    CHECK(given.locked_workers == 300);
    CHECK(plan_for(hubs(), find_strategy("el-shuffled")).locked_workers == 64);  // never fewer
}

TEST_CASE("EL cuts a random order into blocks only where no end is busy") {
    const auto shuffled_in_blocks = [](VertexId hub_edges) {
        std::vector<Triple> triples;
        constexpr VertexId rows = 100'000;
        for (VertexId u = 0; u < rows; ++u)
            triples.push_back({u, u, 1}), triples.push_back({u, (u + 1) % rows, 1});
        for (VertexId u = 0; u < hub_edges; ++u) triples.push_back({u + 10, 0, 1});
        return plan_for(build_graph(triples, rows, rows, {GraphShape::bipartite, true, true}),
                        find_strategy("el-shuffled"))
            .locked_in_blocks;
    };
    CHECK(shuffled_in_blocks(0));
    CHECK_FALSE(shuffled_in_blocks(20));
}
