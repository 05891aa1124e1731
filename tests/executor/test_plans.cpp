// Tests of plans: their contents, the plans that are refused, and the plans that fit on a device.
#include "catch.hpp"
#include "executor_support.hpp"
#include "lockstep/executor/edge/execute.hpp"
#include "lockstep/executor/edge/tiled/memory.hpp"
#include "probe_operators.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("held-out edges leave an order, and what is before each of its places is known") {
    for (const EdgeId size : {0, 1, 63, 64, 65, 128, 1000}) {
        for (const EdgeId nth : {1, 2, 7}) {
            INFO(size << " edges, of which number " << nth << " of each " << nth << " is held out");
            Array<EdgeId> order(size), rest;
            for (EdgeId i = 0; i < size; ++i) order[i] = size - 1 - i;
            std::vector<bool> held_out(size);
            for (EdgeId e = 0; e < size; e += nth) held_out[e] = true;
            const TrainingPositions kept(order, held_out, rest);
            Array<EdgeId> wanted;
            for (EdgeId i = 0; i < size; ++i) {
                REQUIRE(kept.before(i) == wanted.size());
                if (!held_out[order[i]]) wanted.push_back(order[i]);
            }
            CHECK(kept.before(size) == wanted.size());
            CHECK(rest == wanted);
        }
    }
}

TEST_CASE("a plan leaves out exactly the held-out edges") {
    const Graph graph = numbered(random_graph(100, 80, 1500, 4));
    std::vector<bool> held_out(graph.edges());
    EdgeId held = 0;
    for (EdgeId e = 0; e < graph.edges(); e += 3) held_out[e] = true, ++held;
    for (const Strategy& strategy : strategies()) {
        INFO(strategy.name);
        const EdgePlan plan = plan_for(graph, strategy, small_build(), held_out);
        REQUIRE(plan.edges() == graph.edges() - held);
        std::vector<bool> seen(graph.edges());
        for (EdgeId i = 0; i < plan.edges(); ++i) {
            const auto e = static_cast<EdgeId>(plan.value[i]);
            REQUIRE_FALSE(held_out[e]);
            REQUIRE_FALSE(seen[e]);
            seen[e] = true;
            REQUIRE(plan.col[i] == graph.col[e]);
            REQUIRE(graph.row_offsets[plan.row[i]] <= e);
            REQUIRE(e < graph.row_offsets[plan.row[i] + 1]);
        }
        const ProbeResult r = probe_on_cpu(plan, 2);
        REQUIRE(r.visits == std::vector<std::uint32_t>(plan.edges(), 1));
        if (strategy.deterministic()) REQUIRE(r.conflicts(plan) == 0);
    }
}

namespace {

/// An operator with the members that an edge operator must have, and no more. An endpoint holds a hash of its
/// edges so far, in their order.
struct PlainOperator {
    using Lanes = HostLanes<1>;
    struct Row {
        std::uint32_t seen;
    };
    struct Col {
        std::uint32_t seen;
    };

    std::uint32_t *rows, *cols;

    Row load_row(VertexId u) const { return {rows[u]}; }
    Col load_col(VertexId v) const { return {cols[v]}; }
    void store_row(VertexId u, const Row& row) const { rows[u] = row.seen; }
    void store_col(VertexId v, const Col& col) const { cols[v] = col.seen; }
    void apply(Row& row, Col& col, float, const EdgePosition&) const {
        const std::uint32_t old = row.seen;
        row.seen = 3 * row.seen + col.seen + 1, col.seen = 5 * col.seen + old + 2;
    }
};

}  // namespace

TEST_CASE("every exact strategy runs an operator of five members, as one edge after another") {
    const Graph graph = hubs();
    for (const Strategy& strategy : strategies()) {
        if (!strategy.deterministic()) continue;
        for (const Resident resident : {Resident::items, Resident::users}) {
            INFO(strategy.name << ", " << to_string(resident) << " on chip");
            BuildOptions options = small_build();
            options.resident = resident;
            const EdgePlan plan = plan_for(graph, strategy, options);
            std::vector<std::uint32_t> rows(plan.rows, 1), cols(plan.cols, 2), wanted_rows = rows,
                                                                               wanted_cols = cols;
            cpu::Locks locks(plan);
            CHECK(cpu::execute(plan, PlainOperator{rows.data(), cols.data()}, locks, 2).updates ==
                  graph.edges());
            const PlainOperator serial{wanted_rows.data(), wanted_cols.data()};
            for (EdgeId e = 0; e < plan.edges(); ++e) {
                auto row = serial.load_row(plan.row[e]);
                auto col = serial.load_col(plan.col[e]);
                serial.apply(row, col, 1, {});
                serial.store_row(plan.row[e], row), serial.store_col(plan.col[e], col);
            }
            CHECK(rows == wanted_rows);
            CHECK(cols == wanted_cols);
        }
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
    const Schedule degree = build_degree(graph);
    const EdgePlan nl = make_plan(graph, find_strategy("nl"), &degree);
    CHECK(std::get<NodeLockedPlan>(nl.walk).columns == degree.col_order);
    const EdgePlan el = make_plan(graph, find_strategy("el"), &degree);
    CHECK(el.row.front() == degree.row_order.front());
    CHECK(probe_on_cpu(el, 2).visits == std::vector<std::uint32_t>(graph.edges(), 1));
    CHECK(probe_on_cpu(nl, 2).visits == std::vector<std::uint32_t>(graph.edges(), 1));
}

TEST_CASE("NL begins with the columns of many edges and keeps the order of the others") {
    const EdgePlan plan = plan_for(hubs(), find_strategy("nl"));
    const auto& nl = std::get<NodeLockedPlan>(plan.walk);
    std::vector<VertexId> expected{7, 50};
    for (VertexId v = 0; v < 120; ++v) {
        if (v != 7 && v != 50) expected.push_back(v);
    }
    CHECK(nl.columns == expected);
    CHECK(nl.column_edges[1] == 900);
}

TEST_CASE("NL with marks takes the columns in their order, as many at a time as there are workers") {
    const Graph graph = hubs();
    const EdgePlan plan = plan_for(graph, find_strategy("nl-marks"));
    const auto& nl = std::get<NodeMarkedPlan>(plan.walk);
    CHECK(nl.columns.size() == 120);
    CHECK(std::ranges::is_sorted(nl.columns));
    const Schedule degree = build_degree(graph);
    const EdgePlan by_degree = make_plan(graph, find_strategy("nl-marks"), &degree);
    CHECK(std::get<NodeMarkedPlan>(by_degree.walk).columns == degree.col_order);
    // A single worker meets no other, so a pass processes all edges of its block.
    const ProbeResult alone = probe_on_cpu(plan, 1);
    CHECK(alone.visits == std::vector<std::uint32_t>(graph.edges(), 1));
    CHECK(alone.counts.passes == (120 + cpu::items_a_thread - 1) / cpu::items_a_thread);
    for (int threads : {2, 5}) {
        const ProbeResult met = probe_on_cpu(plan, threads);
        CHECK(met.visits == alone.visits);
        CHECK(met.counts.updates == graph.edges());
    }
}

TEST_CASE("EL begins with as many edges at a time as meet one or two others, and cuts clustered orders") {
    std::vector<Triple> triples;  // every third cell, row by row
    for (VertexId u = 0; u < 600; ++u) {
        for (VertexId v = u % 3; v < 300; v += 3) triples.push_back({u, v, 1});
    }
    const Graph graph = build_graph(triples, 600, 300, {GraphShape::bipartite, true, true});
    const auto locked = [](const Graph& of, const char* name) {
        return std::get<EdgeLockedPlan>(plan_for(of, find_strategy(name)).walk);
    };
    const EdgeLockedPlan shuffled = locked(graph, "el-shuffled");
    CHECK_FALSE(shuffled.in_blocks);
    CHECK(shuffled.workers == 300);  // two edges meet with probability 1 / 600 + 1 / 300
    const EdgePlan nl_el = plan_for(graph, find_strategy("nl-el"));
    CHECK(std::get<NodeLockedThenEdge>(nl_el.walk).rest.workers == 300);
    const EdgeLockedPlan given = locked(graph, "el");
    CHECK(given.in_blocks);
    CHECK(given.workers == 300);
    CHECK(locked(hubs(), "el-shuffled").workers == 64);  // the minimum
}

TEST_CASE("EL cuts a random order into blocks only where no end is busy") {
    const auto shuffled_in_blocks = [](VertexId hub_edges) {
        std::vector<Triple> triples;
        constexpr VertexId rows = 100'000;
        for (VertexId u = 0; u < rows; ++u)
            triples.push_back({u, u, 1}), triples.push_back({u, (u + 1) % rows, 1});
        for (VertexId u = 0; u < hub_edges; ++u) triples.push_back({u + 10, 0, 1});
        const Graph graph = build_graph(triples, rows, rows, {GraphShape::bipartite, true, true});
        return std::get<EdgeLockedPlan>(plan_for(graph, find_strategy("el-shuffled")).walk).in_blocks;
    };
    CHECK(shuffled_in_blocks(0));
    CHECK_FALSE(shuffled_in_blocks(20));
}

TEST_CASE("what does not fit on a GPU is said before a run, with the reason") {
    const Graph graph = hubs();
    const gpu::Properties device{132, 227 << 10, 9, 0};
    const auto why = [&](const char* strategy, const OperatorSize& size, gpu::Properties of) {
        BuildOptions build = small_build();
        build.item_blocks = 3, build.user_blocks = 8;
        const Graph road = small_road(20);
        const bool local = std::string(strategy) == "local";
        return why_not(plan_for(local ? road : graph, find_strategy(strategy), build), size, of).value_or("");
    };
    const OperatorSize size{4, 16, 48, 64, 0, 0}, large{32, 16, 48, 2048, 0, 0};
    for (const Strategy& strategy : strategies()) CHECK(why(strategy.name, size, device).empty());

    const gpu::Properties small{132, 1 << 10, 9, 0}, old{132, 227 << 10, 8, 0}, few{2, 227 << 10, 9, 0};
    using Catch::Contains;
    CHECK_THAT(why("agm-n", size, gpu::Properties{1, 1 << 10, 9, 0}),
               Contains("in shared memory, but this device has space for 0"));
    CHECK_THAT(why("el-sgm", size, gpu::Properties{1, 1 << 10, 9, 0}), Contains("--workers"));
    CHECK_THAT(why("hogwild-blocked", large, small),
               Contains("in shared memory, but this device has space for 2"));
    CHECK_THAT(why("tiled", large, small), Contains("does not fit in shared memory"));
    CHECK_THAT(why("tiled", size, few), Contains("3 item blocks per group, but this device runs at most 2"));
    CHECK_THAT(why("local", large, small), Contains("of 1024 bytes of shared memory"));
    for (const char* strategy : {"tiled", "local"}) {
        CHECK_THAT(why(strategy, size, old), Contains("compute capability 9.0"));
        CHECK_THAT(why(strategy, OperatorSize{4, 16, 48, 0, 0, 0}, device), Contains("edge/on_chip.hpp"));
    }
    for (const char* strategy : {"agm-e", "diag", "blkdiag", "el", "nl", "nl-marks", "nl-el", "hogwild"})
        CHECK(why(strategy, large, small).empty());
}

TEST_CASE("long stars take the room that tiles leave, or give their warps to the steps") {
    TiledSizes sizes;
    sizes.grid = {1, 4, 8}, sizes.max_cols = 100, sizes.max_rows = 100, sizes.max_words = 1000,
    sizes.has_chains = true;
    OperatorSize size{16, 16, 48, 256, 64, 900};
    const auto shape = [&](EdgeId shared) { return gpu::tiled_shape(sizes, size, {132, shared, 9, 0}); };
    REQUIRE(shape(1 << 20));
    CHECK(shape(1 << 20)->step_warps == 9);
    const EdgeId most = shape(1 << 20)->bytes;
    CHECK(shape(most)->step_warps == 9);
    CHECK(shape(most - 1)->step_warps == 10);
    CHECK(shape(most - 1)->bytes == most - 4 * 900);
    CHECK_FALSE(shape(most - 4 * 4 * 900 - 1));  // the minimum is one place
    size.star_words = size.star_place_words = 0;
    CHECK(shape(1 << 20)->step_warps == 14);
    sizes.has_chains = false;
    CHECK(shape(1 << 20)->step_warps == 15);
}
