// Tests of the stars schedule: tasks are stars, and the number of phases is near the minimum.
#include <algorithm>
#include <set>

#include "insight/build_options.hpp"
#include "proved.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

const DeviceCosts costs_of_h200 = insight::default_build_options().costs;

/// Checks that the schedule is exact, and that every task is a vertex with distinct neighbours: at most S, or
/// at most H for the first tasks of a phase.
Schedule check_stars(const Graph& graph, EdgeId star_edges) {
    const Schedule schedule = build_stars(graph, costs_of_h200, star_edges);
    require_verified(verify(graph, schedule));
    const EdgeId most = std::stoull(schedule.parameters.at("star_edges")),
                 of_hubs = std::stoull(schedule.parameters.at("hub_edges"));
    if (star_edges) REQUIRE((most == star_edges && of_hubs == star_edges));
    REQUIRE(of_hubs >= most);
    const Array<VertexId> row = edge_rows(graph);
    const std::vector<EdgeId>&tasks = schedule.level(Level::task), &phases = schedule.level(Level::phase);
    for (std::size_t t = 0, p = 0; t + 1 < tasks.size(); ++t) {
        while (t >= phases[p + 1]) ++p;
        std::set<VertexId> rows, cols;
        for (EdgeId i = tasks[t]; i < tasks[t + 1]; ++i)
            rows.insert(row[schedule.order[i]]), cols.insert(graph.col[schedule.order[i]]);
        const EdgeId size = tasks[t + 1] - tasks[t];
        REQUIRE((size >= 1 && size <= (t < phases[p] + hub_stars ? of_hubs : most)));
        REQUIRE(std::min(rows.size(), cols.size()) == 1);
        REQUIRE(std::max(rows.size(), cols.size()) == size);
    }
    return schedule;
}

/// Returns a graph with one user that rated every item, and one item that every user rated.
Graph two_hubs(VertexId side) {
    std::vector<std::pair<VertexId, VertexId>> edges{{0, 0}};
    for (VertexId i = 1; i < side; ++i) edges.insert(edges.end(), {{i, 0}, {0, i}});
    return graph_of(side, side, edges);
}

}  // namespace

TEST_CASE("stars are exact on the battery and on random graphs, and never more than S edges") {
    for (const NamedGraph& named : graph_battery()) {
        INFO(named.name);
        for (const EdgeId most : {0U, 1U, 3U, 64U}) check_stars(named.graph, most);
    }
    for (std::uint64_t seed = 0; seed < 10; ++seed)
        check_stars(random_graph(200 + static_cast<VertexId>(seed), 90, 3000, seed), seed);
}

TEST_CASE("stars: a hub takes a phase for every S of its edges, on either side") {
    const Graph graph = two_hubs(1001);
    // One of the hubs is the leaf of the edge between them, which takes another phase.
    CHECK(check_stars(graph, 10).count(Level::phase) == 101);
    CHECK(check_stars(graph, 64).count(Level::phase) == 17);
    CHECK(star_sizes_of(graph, costs_of_h200, 10).min_phases == 101);
}

TEST_CASE("stars: hubs have long stars, and share out their edges with one another") {
    const Schedule two = check_stars(two_hubs(10001), 0);
    CHECK(two.parameters.at("hub_edges") == "1024");
    CHECK(two.count(Level::phase) == 11);
    // 80 hubs on either side are all adjacent to each other, and each has 1,500 neighbours of its own. If all
    // edges between hubs had their centres on one side, the hubs of the other side would be leaves of 80
    // edges in addition to their stars.
    std::vector<std::pair<VertexId, VertexId>> edges;
    constexpr VertexId hubs = 80, own = 1500;
    for (VertexId i = 0; i < hubs; ++i) {
        for (VertexId j = 0; j < hubs; ++j) edges.emplace_back(i, j);
        for (VertexId j = 0; j < own; ++j) {
            edges.emplace_back(i, hubs + i * own + j);
            edges.emplace_back(hubs + i * own + j, i);
        }
    }
    const Graph graph = graph_of(hubs * (own + 1), hubs * (own + 1), edges);
    const Schedule schedule = check_stars(graph, 0);
    CHECK(schedule.count(Level::phase) < hubs + own / std::stoull(schedule.parameters.at("hub_edges")));
    CHECK(schedule.count(Level::phase) >= star_sizes_of(graph, costs_of_h200).min_phases);
}

TEST_CASE("stars: the phases are the least number, or near it") {
    for (const std::uint64_t seed : {1, 2, 3}) {
        const Graph skewed = random_graph(3000, 300, 20000, seed);
        for (const EdgeId most : {4U, 16U}) {
            const EdgeId least = star_sizes_of(skewed, costs_of_h200, most).min_phases;
            const EdgeId phases = check_stars(skewed, most).count(Level::phase);
            CHECK(phases >= least);
            CHECK(2 * phases <= 3 * least);
        }
    }
}
