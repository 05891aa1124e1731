// A schedule has the form that its name promises, and what it claims of concurrent work is proved.
#include "catch.hpp"
#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/tile_grid.hpp"
#include "lockstep/schedules/verify.hpp"
#include "schedule_arrays.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

BuildOptions form_options() {
    BuildOptions options;
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
            const Verification v = verify_concurrency(named.graph, schedule);
            INFO((v.problems.empty() ? "" : v.problems[0]));
            CHECK(v.ok());
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
    CHECK_THAT(v.problems[0], Catch::Contains("it is no local schedule") && Catch::Contains("residents"));
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

    // Two edges of different tiles, each then among strangers: no two tiles of a phase share a vertex, but
    // neighbouring phases run side by side.
    Schedule tiles = build_tiled(graph, form_options());
    const auto tile_edges = edge_offsets(tiles, Level::tile);
    EdgeId first = 0;
    while (tile_edges[first] == tile_edges[first + 1]) ++first;
    EdgeId other = first + tile_grid(tiles).all_item_blocks();
    while (tile_edges[other] == tile_edges[other + 1]) ++other;
    std::swap(tiles.order[tile_edges[first]], tiles.order[tile_edges[other]]);
    refused(tiles, "is in a tile of other blocks");

    // All stars of a tile as one: its edges share no end any more.
    Schedule stars = build_tiled(graph, form_options());
    auto &steps = stars.level(Level::step), &tasks = stars.level(Level::task);
    std::size_t step = 0;
    while (steps[step + 1] - steps[step] < 2) ++step;
    tasks.erase(tasks.begin() + static_cast<std::ptrdiff_t>(steps[step]) + 1);
    for (std::size_t s = step + 1; s < steps.size(); ++s) --steps[s];
    refused(stars, "not of its task's star");

    Schedule blocked = build_blocked(graph, form_options());
    const auto& parts = edge_offsets(blocked, Level::task);
    std::swap(blocked.order[parts[0]], blocked.order[parts[1]]);
    refused(blocked, "of another block of items");

    Schedule sgm = build_sgm(graph, form_options());
    sgm.disjoint = Disjoint::col;
    refused(sgm, "disjoint on col, not on both");
}
