// Tests that a schedule has the form that its name implies, and that its claims about concurrent work are
// verified.
#include <algorithm>
#include <random>
#include <tuple>

#include "insight/build_options.hpp"
#include "lockstep/schedules/tile_grid.hpp"
#include "proved.hpp"
#include "schedule_arrays.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

BuildOptions form_options() {
    BuildOptions options = insight::default_build_options();
    options.workers = 9, options.item_blocks = 4, options.hub_items = 2;
    return options;
}

}  // namespace

TEST_CASE("every builder gives the form that the registry promises") {
    for (const NamedGraph& named : graph_battery()) {
        for (const Builder& builder : builders()) {
            INFO(builder.name << " of " << named.name);
            const Schedule schedule = builder.build(named.graph, form_options());
            CHECK(departure(named.graph, schedule, builder.form) == "");
            CHECK(schedule.disjoint == builder.form.disjoint);
            require_verified(verify_concurrency(named.graph, schedule));
        }
    }
}

TEST_CASE("arrays under a name of another form are refused, with the array") {
    const Graph graph = random_graph(80, 60, 900, 21);
    for (const Builder& name : builders()) {
        for (const Builder& arrays : builders()) {
            Schedule schedule = arrays.build(graph, form_options());
            schedule.name = name.name;
            INFO(arrays.name << " as " << name.name);
            const bool fits = departure(graph, schedule, name.form).empty();
            CHECK(verify(graph, schedule).ok() == (fits && verify_concurrency(graph, schedule).ok()));
            if (std::string(name.name) == arrays.name) CHECK(fits);
        }
    }
    Schedule sgm = build_sgm(graph, form_options());
    sgm.name = "local";
    const Verification v = verify(graph, sgm);
    CHECK_FALSE(v.nested);
    REQUIRE(!v.problems.empty());
    CHECK_THAT(v.problems[0],
               Catch::Contains("it is not a valid local schedule") && Catch::Contains("residents"));
}

TEST_CASE("no array of a schedule can be left out") {
    const Graph graph = random_graph(80, 60, 900, 21);
    for (const Builder& builder : builders()) {
        const Schedule whole = builder.build(graph, form_options());
        for (const auto& [name, clear] : arrays_of(whole)) {
            Schedule lacking = whole;
            clear(lacking);
            INFO(builder.name << " without " << name);
            CHECK_FALSE(verify(graph, lacking).ok());
        }
    }
}

TEST_CASE("the proof of concurrency finds what execution would stumble over") {
    const Graph graph = random_graph(80, 60, 900, 21);
    const auto refused = [&](Schedule schedule, const std::string& what) {
        const Verification v = verify_concurrency(graph, schedule);
        CHECK_FALSE(v.ok());
        REQUIRE(!v.problems.empty());
        CHECK_THAT(v.problems[0], Catch::Contains(what));
        CHECK_FALSE(verify(graph, schedule).ok());
    };
    Schedule one_round = build_agm_e(graph, {});
    one_round.level(Level::phase) = {0, graph.edges()};
    one_round.maximal = false;
    refused(one_round, "shares an endpoint with another edge of phase 0");

    Schedule residents = build_sgm(graph, form_options());
    std::swap(residents.residents.front(), residents.residents.back());
    refused(residents, "not resident");

    // Swap two edges of different tiles, so that each is in a tile of other blocks. No two tiles of a phase
    // then share a vertex, but neighbouring phases run concurrently.
    Schedule tiles = build_tiled(graph, form_options());
    const auto tile_edges = edge_offsets(tiles, Level::tile);
    EdgeId first = 0;
    while (tile_edges[first] == tile_edges[first + 1]) ++first;
    EdgeId other = first + tile_grid(tiles).all_item_blocks();
    while (tile_edges[other] == tile_edges[other + 1]) ++other;
    std::swap(tiles.order[tile_edges[first]], tiles.order[tile_edges[other]]);
    refused(tiles, "is in a tile of different blocks");

    // Merge all stars of a tile into one, whose edges do not share an endpoint.
    Schedule stars = build_tiled(graph, form_options());
    auto &steps = stars.level(Level::step), &tasks = stars.level(Level::task);
    std::size_t step = 0;
    while (steps[step + 1] - steps[step] < 2) ++step;
    tasks.erase(tasks.begin() + static_cast<std::ptrdiff_t>(steps[step]) + 1);
    for (std::size_t s = step + 1; s < steps.size(); ++s) --steps[s];
    refused(stars, "not of its task's star");

    Schedule blocked = build_blocked(graph, form_options(), form_options().seed);
    const auto& parts = edge_offsets(blocked, Level::task);
    std::swap(blocked.order[parts[0]], blocked.order[parts[1]]);
    refused(blocked, "of a different block of items");

    Schedule sgm = build_sgm(graph, form_options());
    sgm.disjoint = Disjoint::col;
    refused(sgm, "disjoint on col, not on both");
}

namespace {

/// Returns a random square graph with repeated arcs and many equal weights, directed or symmetric.
Graph random_square(VertexId vertices, EdgeId arcs, bool directed, std::uint64_t seed) {
    const Graph random = random_graph(vertices, vertices, arcs, seed);
    const Array<VertexId> row = edge_rows(random);
    std::vector<Triple> triples;
    for (EdgeId e = 0; e < random.edges(); ++e) {
        const VertexId u = row[e], v = random.col[e];
        const auto weight = static_cast<float>((u * v + u + v) % 5);
        triples.push_back({u, v, weight});
        if (!directed && u != v) triples.push_back({v, u, weight});
    }
    return build_graph(std::move(triples), vertices, vertices, {GraphShape::square, directed, true});
}

}  // namespace

TEST_CASE("hubs: the numbering and the lists are those of a plain stable sort") {
    for (const bool directed : {false, true}) {
        // The lengths of the lists are near the thresholds of the sort, and weights have either sign.
        std::vector<Graph> graphs{random_square(300, 9000, directed, 3), random_square(40, 60, directed, 4)};
        std::vector<Triple> star;
        for (VertexId i = 0; i < 9000; ++i) star.push_back({i % 2, i * 31 % 5000, 20 - 0.5F * (i % 77)});
        graphs.push_back(build_graph(std::move(star), 5000, 5000, {GraphShape::square, true, true}));
        for (const Graph& graph : graphs) {
            std::vector<EdgeId> degree = row_degrees(graph);
            const std::vector<EdgeId> in = col_degrees(graph);
            std::vector<VertexId> order(graph.rows), place(graph.rows);
            for (VertexId v = 0; v < graph.rows; ++v) degree[v] += in[v], order[v] = v;
            std::stable_sort(order.begin(), order.end(),
                             [&](VertexId a, VertexId b) { return degree[a] > degree[b]; });
            for (VertexId p = 0; p < graph.rows; ++p) place[order[p]] = p;
            const Array<VertexId> row = edge_rows(graph);
            for (const bool by_weight : {false, true}) {
                const auto rank = [&](EdgeId e) {
                    return std::tuple(place[row[e]], by_weight ? graph.weight(e) : 0, place[graph.col[e]]);
                };
                Array<EdgeId> edges(graph.edges());
                for (EdgeId e = 0; e < graph.edges(); ++e) edges[e] = e;
                std::stable_sort(edges.begin(), edges.end(),
                                 [&](EdgeId a, EdgeId b) { return rank(a) < rank(b); });
                const Schedule s = by_weight ? build_hubs_weight(graph) : build_hubs(graph);
                CHECK(s.row_order == order);
                CHECK(s.col_order == order);
                CHECK(s.order == edges);
            }
        }
    }
}

TEST_CASE("hubs: the checker finds 200 of 200 planted faults") {
    std::mt19937_64 random(7);
    int found = 0, planted = 0;
    for (const bool directed : {false, true}) {
        const Graph graph = random_square(300, 5000, directed, 9);
        const Array<VertexId> row = edge_rows(graph);
        const std::vector<Schedule> good{build_hubs(graph), build_hubs_weight(graph)};
        for (int fault = 0; fault < 100;) {
            Schedule bad = good[random() % 2];
            if (random() % 4 == 0) {  // two vertices are swapped, in both orders or in one
                const std::size_t a = random() % graph.rows, b = random() % graph.rows;
                if (a == b) continue;
                std::swap(bad.row_order[a], bad.row_order[b]);
                if (random() % 2) std::swap(bad.col_order[a], bad.col_order[b]);
            } else {  // two edges with different sort keys are swapped
                const EdgeId a = random() % graph.edges(),
                             b = random() % 2 && a ? a - 1 : random() % graph.edges();
                const EdgeId e = bad.order[a], f = bad.order[b];
                if (row[e] == row[f] && graph.col[e] == graph.col[f] && graph.value[e] == graph.value[f])
                    continue;
                std::swap(bad.order[a], bad.order[b]);
            }
            ++fault, ++planted;
            const Verification v = verify(graph, bad);
            found += !v.ok() && !v.problems.empty() && !verify_concurrency(graph, bad).ok();
        }
    }
    CHECK(planted == 200);
    CHECK(found == 200);

    const Graph graph = random_square(300, 5000, true, 9);
    Schedule light = build_hubs(graph);
    light.name = "hubs-weight";
    CHECK_THAT(verify(graph, light).problems.at(0),
               Catch::Contains("of weight") && Catch::Contains("comes after"));
}
