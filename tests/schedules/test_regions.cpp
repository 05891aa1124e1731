// Tests of the regions schedule: regions of every size cover a graph and are compact if it has locality;
// graphs without locality are refused. The verifier finds invalid schedules.
#include <omp.h>

#include "proved.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Returns a grid of width x width vertices, renumbered by `name`, with an arc to each neighbour; with
/// `both`, in both directions.
template <class Name>
Graph square_grid(VertexId width, bool both, Name name) {
    std::vector<Triple> arcs;
    const auto connect = [&](VertexId u, VertexId v) {
        arcs.push_back({name(u), name(v), 1});
        if (both) arcs.push_back({name(v), name(u), 1});
    };
    for (VertexId v = 0; v < width * width; ++v) {
        if (v % width) connect(v - 1, v);
        if (v >= width) connect(v - width, v);
    }
    return build_graph(std::move(arcs), width * width, width * width,
                       {.shape = GraphShape::square, .directed = !both});
}

Schedule checked(const Graph& graph, VertexId most) {
    Schedule schedule = build_regions(graph, most);
    require_verified(verify(graph, schedule));
    for (std::size_t r = 0; r + 1 < schedule.row_parts.size(); ++r) {
        const EdgeId columns =
            graph.shape == GraphShape::square ? 0 : schedule.col_parts[r + 1] - schedule.col_parts[r];
        const EdgeId vertices = schedule.row_parts[r + 1] - schedule.row_parts[r] + columns;
        REQUIRE(vertices >= 1);
        REQUIRE(vertices <= std::max<EdgeId>(most, 64));
    }
    return schedule;
}

}  // namespace

TEST_CASE("regions cover every graph of the battery") {
    for (const NamedGraph& named : graph_battery()) {
        INFO(named.name);
        for (const VertexId vertices : {1U, 64U, 100U, 2048U}) {
            if (named.graph.edges() < 60000) checked(named.graph, vertices);
        }
    }
}

TEST_CASE("few arcs lie between the regions of a grid, whatever its vertices are called") {
    constexpr VertexId width = 200;
    const auto scattered = [](VertexId v) {
        return static_cast<VertexId>(EdgeId{v} * 10007 % (width * width));
    };
    for (const bool both : {true, false}) {
        for (const Graph& graph :
             {square_grid(width, both, [](VertexId v) { return v; }), square_grid(width, both, scattered)}) {
            const Schedule schedule = checked(graph, 1024);
            CHECK(schedule.row_parts.size() - 1 <= 45);
            CHECK(std::stoul(schedule.parameters.at("arcs_between")) < graph.edges() / 8);
        }
    }
}

TEST_CASE("regions are the same for any number of threads") {
    const Graph graph = square_grid(300, true, [](VertexId v) { return v; });
    const int most = omp_get_max_threads();
    omp_set_num_threads(1);
    const Schedule once = build_regions(graph, 500);
    for (const int threads : {2, 5}) {
        omp_set_num_threads(threads);
        const Schedule again = build_regions(graph, 500);
        CHECK(again.row_order == once.row_order);
        CHECK(again.row_parts == once.row_parts);
    }
    omp_set_num_threads(most);
}

TEST_CASE("regions refuses a graph without locality") {
    const Graph graph = random_graph(20000, 20000, 400000, 1);
    CHECK_THROWS_WITH(build_regions(graph), Catch::Contains("no locality") && Catch::Contains("hubs"));
    CHECK(refusal("regions", graph, {}) != "");
    CHECK(refusal("regions", square_grid(200, true, [](VertexId v) { return v; }), {}) == "");
}

TEST_CASE("the checker finds what is no schedule of regions") {
    const Graph graph = square_grid(60, true, [](VertexId v) { return v; });
    const Schedule whole = build_regions(graph, 300);
    const auto refused = [&](const char* what, const auto& damage) {
        Schedule damaged = whole;
        damage(damaged);
        const Verification v = verify(graph, damaged);
        CHECK_FALSE(v.ok());
        REQUIRE(!v.problems.empty());
        CHECK_THAT(v.problems[0], Catch::Contains(what));
    };
    refused("exceeds the allowed 300 vertices", [](Schedule& s) {
        s.row_parts.erase(s.row_parts.begin() + 3);
        s.col_parts = s.row_parts;
    });
    refused("has different orders", [](Schedule& s) { std::swap(s.col_order[0], s.col_order[1]); });
    refused("has different orders", [](Schedule& s) { ++s.col_parts[1]; });
    refused("different numbers of regions", [](Schedule& s) { s.col_parts.erase(s.col_parts.begin() + 1); });
    refused("lacks the parameter region_vertices",
            [](Schedule& s) { s.parameters.erase("region_vertices"); });
    refused("permutations", [](Schedule& s) { s.row_order[0] = s.col_order[0] = s.row_order[1]; });
    refused("parts", [](Schedule& s) { s.row_parts.back() = 0; });
}
