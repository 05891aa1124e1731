// Tests of the local schedule: it is exact for regions of every size, has few phases on graphs with locality,
// and refuses other graphs.
#include <omp.h>

#include "insight/build_options.hpp"
#include "proved.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Returns options with which a region has capacity for about `vectors` vectors of 64 bytes.
BuildOptions regions_of(EdgeId vectors) {
    BuildOptions options = insight::default_build_options();
    options.regions_per_multiprocessor = 1;
    options.shared_memory_bytes = (2 << 10) + vectors * 80;
    return options;
}

/// Returns a grid of width x width vertices, with arcs to and from each neighbour and a self-loop at each
/// vertex.
Graph looped_grid(VertexId width) {
    std::vector<std::pair<VertexId, VertexId>> arcs;
    for (VertexId v = 0; v < width * width; ++v) {
        arcs.emplace_back(v, v);
        if (v % width) arcs.emplace_back(v, v - 1), arcs.emplace_back(v - 1, v);
        if (v >= width) arcs.emplace_back(v, v - width), arcs.emplace_back(v - width, v);
    }
    return graph_of(width * width, width * width, arcs);
}

Schedule check_local(const Graph& graph, const BuildOptions& options) {
    Schedule schedule = build_local(graph, options);
    require_verified(verify(graph, schedule));
    REQUIRE(schedule.disjoint == Disjoint::both);
    const std::vector<EdgeId> tiles = edge_offsets(schedule, Level::tile);
    for (std::size_t t = 0; t + 1 < tiles.size(); ++t) REQUIRE(tiles[t] < tiles[t + 1]);
    return schedule;
}

/// Returns the number of distinct vertices of the edges [begin, end) of the order.
EdgeId vertices_of(const Graph& graph, const Schedule& schedule, EdgeId begin, EdgeId end) {
    const Array<VertexId> row = edge_rows(graph);
    std::vector<bool> rows(graph.rows), cols(graph.cols);
    for (EdgeId i = begin; i < end; ++i)
        rows[row[schedule.order[i]]] = cols[graph.col[schedule.order[i]]] = true;
    return static_cast<EdgeId>(std::count(rows.begin(), rows.end(), true) +
                               std::count(cols.begin(), cols.end(), true));
}

}  // namespace

TEST_CASE("local is exact for regions of every size") {
    for (const NamedGraph& named : graph_battery()) {
        INFO(named.name);
        for (const EdgeId vectors : {12U, 60U, 5000U}) {
            if (named.graph.edges() < 10000 || vectors > 12) check_local(named.graph, regions_of(vectors));
        }
    }
    check_local(looped_grid(1), insight::default_build_options());
    check_local(looped_grid(50), regions_of(40));
}

TEST_CASE("the tiles of local fit on chip, and count the vectors that they fetch") {
    const Graph graph = looped_grid(60);
    for (const EdgeId vectors : {10U, 100U, 1000U}) {
        const Schedule schedule = check_local(graph, regions_of(vectors));
        const std::vector<EdgeId> tiles = edge_offsets(schedule, Level::tile);
        EdgeId fetched = 0;
        for (std::size_t t = 0; t + 1 < tiles.size(); ++t) {
            const EdgeId vertices = vertices_of(graph, schedule, tiles[t], tiles[t + 1]);
            CHECK(vertices * 68 + (tiles[t + 1] - tiles[t]) * 8 <= vectors * 80);
            fetched += vertices;
        }
        CHECK(schedule.parameters.at("vectors") == std::to_string(fetched));
    }
}

TEST_CASE("local keeps most edges of a grid in its first phase, whatever the names of the vertices") {
    const Graph graph = looped_grid(300);
    const Schedule schedule = check_local(graph, regions_of(1000));
    const std::vector<EdgeId> phases = edge_offsets(schedule, Level::phase);
    CHECK(phases.size() - 1 <= 5);
    CHECK(phases[1] > graph.edges() * 8 / 10);
}

TEST_CASE("local has one tile where all fits on chip, of as many steps as the largest degree needs") {
    std::vector<std::pair<VertexId, VertexId>> star;
    for (VertexId i = 0; i < 300; ++i) star.emplace_back(0, i);  // more steps than a word has bits
    const Schedule schedule = check_local(graph_of(1, 300, star), insight::default_build_options());
    CHECK(schedule.count(Level::phase) == 1);
    CHECK(schedule.count(Level::tile) == 1);
    CHECK(schedule.count(Level::step) == 300);
}

TEST_CASE("local refuses a graph without locality, and regions too small for an edge") {
    CHECK_THROWS_AS(build_local(random_graph(20000, 5000, 400000, 1), regions_of(200)), NoLocality);
    CHECK_THROWS_WITH(build_local(random_graph(20000, 5000, 400000, 1), regions_of(200)),
                      Catch::Contains("no locality") && Catch::Contains("agm-e"));
    CHECK_THROWS_AS(build_local(looped_grid(5), regions_of(1)), NoLocality);
}

TEST_CASE("local is the same for any number of threads") {
    const Graph graph = looped_grid(80);
    const int most = omp_get_max_threads();
    omp_set_num_threads(1);
    const Schedule once = build_local(graph, regions_of(50));
    for (const int threads : {2, 5}) {
        omp_set_num_threads(threads);
        const Schedule again = build_local(graph, regions_of(50));
        CHECK(again.order == once.order);
        CHECK(again.offsets == once.offsets);
    }
    omp_set_num_threads(most);
}
