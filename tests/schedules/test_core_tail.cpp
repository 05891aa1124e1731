// Core and tail, tiles whose users stay on chip, and the cost that chooses.
#include <omp.h>

#include <cmath>
#include <random>

#include "lockstep/schedules/core_tail.hpp"
#include "lockstep/schedules/hub_cut.hpp"
#include "lockstep/schedules/tile_cost.hpp"
#include "proved.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

BuildOptions with_hubs(EdgeId above, VertexId item_blocks = BuildOptions::by_cost) {
    BuildOptions options;
    options.hub_degree = above;
    options.item_blocks = item_blocks;
    return options;
}

/// Exact, and every edge in the part that the definition of a hub gives it.
Schedule check_core_tail(const Graph& graph, const BuildOptions& options) {
    Schedule schedule = build_core_tail(graph, options);
    require_proved(verify(graph, schedule));
    const CoreTailParts parts = core_tail_parts(schedule);
    REQUIRE(parts.items.first_phase == parts.users.grid.phases());
    const std::vector<EdgeId> part_edges = edge_offsets(schedule, Level::block);
    const std::vector<EdgeId> degree = col_degrees(graph);
    const EdgeId items_above = std::stoull(schedule.parameters.at("hub_items_above")),
                 users_above = std::stoull(schedule.parameters.at("hub_users_above"));
    const Array<VertexId> row = edge_rows(graph);
    std::vector<EdgeId> left(graph.rows, 0);
    for (EdgeId e = 0; e < graph.edges(); ++e) left[row[e]] += degree[graph.col[e]] <= items_above;
    for (EdgeId part = 0; part < 3; ++part) {
        for (EdgeId i = part_edges[part]; i < part_edges[part + 1]; ++i) {
            const EdgeId e = schedule.order[i];
            const bool of_item = degree[graph.col[e]] > items_above, of_user = left[row[e]] > users_above;
            REQUIRE(part == (of_item ? 1U : of_user ? 0U : 2U));
        }
    }
    return schedule;
}

EdgeId tail_rounds(const Schedule& schedule) {
    return schedule.count(Level::phase) - core_tail_parts(schedule).first_tail_phase;
}

/// A user with every item and an item with every user, among vertices of two edges each.
Graph hubs_on_both_sides(VertexId side) {
    std::vector<Triple> triples;
    for (VertexId i = 1; i < side; ++i) {
        triples.push_back({i, 0, 1}), triples.push_back({0, i, 1});
        triples.push_back({i, i, 1}), triples.push_back({i, 1 + i % (side - 1), 1});
    }
    return build_graph(std::move(triples), side, side, {GraphShape::bipartite, true, true});
}

}  // namespace

TEST_CASE("core-tail is exact on the battery and on random graphs, and its parts are what hubs are") {
    for (const NamedGraph& named : graph_battery()) {
        INFO(named.name);
        for (const EdgeId above : {0U, 1U, 3U, 25U}) check_core_tail(named.graph, with_hubs(above));
        check_core_tail(named.graph, with_hubs(3, 2));
    }
    for (std::uint64_t seed = 0; seed < 10; ++seed)
        check_core_tail(random_graph(200 + static_cast<VertexId>(seed), 90, 3000, seed),
                        with_hubs(5 * seed, 1 + seed % 4));
}

TEST_CASE("core-tail: stars both ways, hubs on both sides, no edges") {
    std::vector<std::pair<VertexId, VertexId>> of_item, of_user;
    for (VertexId i = 0; i < 3000; ++i) of_item.emplace_back(i, 3), of_user.emplace_back(3, i);
    for (const EdgeId above : {EdgeId{0}, EdgeId{10}}) {
        CHECK(tail_rounds(check_core_tail(graph_of(3000, 10, of_item), with_hubs(above))) == 0);
        CHECK(tail_rounds(check_core_tail(graph_of(10, 3000, of_user), with_hubs(above))) == 0);
    }
    const Graph both = hubs_on_both_sides(4000);
    CHECK(build_agm_e(both, {}).count(Level::phase) > 3000);
    const Schedule parts = check_core_tail(both, with_hubs(10));
    CHECK(tail_rounds(parts) <= 5);
    CHECK(parts.parameters.at("items_edges") == "3999");  // with the pair of both hubs
    CHECK(parts.parameters.at("users_edges") == "3999");
    CHECK(choose_hubs(both, {}).seconds() < 0.3e-3);  // 4,000 rounds alone take over a millisecond
    CHECK(check_core_tail(graph_of(5, 5, {}), {}).order.empty());
    check_core_tail(graph_of(1, 1, {{0, 0}}), with_hubs(1));
}

TEST_CASE("core-tail: the checker finds planted faults, and is the same for any number of threads") {
    const Graph graph = random_graph(150, 120, 2500, 7);
    const Schedule good = check_core_tail(graph, with_hubs(18, 3));
    for (const char* part : {"users_edges", "items_edges", "tail_edges"})
        REQUIRE(good.parameters.at(part) != "0");
    const int most = omp_get_max_threads();
    for (const int threads : {1, 3}) {
        omp_set_num_threads(threads);
        const Schedule again = build_core_tail(graph, with_hubs(18, 3));
        CHECK(again.order == good.order);
        CHECK(again.offsets == good.offsets);
    }
    omp_set_num_threads(most);
    // Two edges of different tiles change places: one is then in a tile of other blocks, or beside an edge
    // that shares an end, unless nobody else has their vertices.
    std::mt19937_64 random(3);
    const std::vector<EdgeId> tiles = edge_offsets(good, Level::tile);
    const auto tile_of = [&](EdgeId i) {
        return std::upper_bound(tiles.begin(), tiles.end(), i) - tiles.begin();
    };
    int planted = 0, found = 0;
    while (planted < 100) {
        const EdgeId a = random() % graph.edges(), b = random() % graph.edges();
        if (tile_of(a) == tile_of(b)) continue;
        Schedule bad = good;
        std::swap(bad.order[a], bad.order[b]);
        ++planted, found += !verify(graph, bad).ok() && !verify_concurrency(graph, bad).ok();
    }
    CHECK(found >= 97);
    // A matching of the tail as two edges of one task; a core with another number of tiles in a phase.
    Schedule paired = good;
    auto& steps = paired.level(Level::step);
    paired.level(Level::task).erase(paired.level(Level::task).end() - 2);
    --steps.back();
    CHECK_FALSE(verify(graph, paired).ok());
    Schedule uneven = good;
    ++uneven.level(Level::phase)[1];
    CHECK_THAT(verify(graph, uneven).problems.at(0), Catch::Contains("no grid of tiles"));
}

TEST_CASE("core-tail: files of versions with hub passes run where they have none, else are refused") {
    const Graph graph = random_graph(150, 120, 2500, 7);
    Schedule old = build_core_tail(graph, with_hubs(18, 3));
    old.level(Level::block).insert(old.level(Level::block).begin(), 0);
    CHECK(core_tail_parts(old).users.grid.tiles() > 0);
    CHECK(verify(graph, old).ok());
    old.level(Level::block)[1] = 1;
    CHECK_THAT(verify(graph, old).problems.at(0), Catch::Contains("preprocess again"));
}

TEST_CASE("tiled with users on chip is tiled of the graph turned round") {
    const Graph graph = random_graph(90, 400, 5000, 9);
    const Array<VertexId> row = edge_rows(graph);
    std::vector<std::pair<VertexId, VertexId>> pairs;
    for (EdgeId e = 0; e < graph.edges(); ++e) pairs.emplace_back(graph.col[e], row[e]);
    const Graph turned = graph_of(400, 90, pairs);
    const Array<VertexId> turned_row = edge_rows(turned);
    for (const VertexId blocks : {0U, 3U}) {
        BuildOptions options;
        options.item_blocks = blocks;
        options.resident = Resident::users;
        const Schedule users = build_tiled(graph, options);
        CHECK(verify(graph, users).ok());
        CHECK(rows_reside(users));
        options.resident = Resident::items;
        const Schedule items = build_tiled(turned, options);
        CHECK_FALSE(rows_reside(items));
        CHECK(users.offsets == items.offsets);
        CHECK(users.row_order == items.col_order);
        CHECK(users.col_parts == items.row_parts);
        for (EdgeId i = 0; i < graph.edges(); ++i) {
            REQUIRE(row[users.order[i]] == turned.col[items.order[i]]);
            REQUIRE(graph.col[users.order[i]] == turned_row[items.order[i]]);
        }
        Schedule wrong = users;  // two users change their blocks
        std::swap(wrong.row_order.front(), wrong.row_order.back());
        CHECK_FALSE(verify(graph, wrong).ok());
    }
}

TEST_CASE("core-tail that is all core keeps the side on chip that tiled keeps") {
    // Every item has 50 edges; those of users differ, whom more blocks of items would share out less.
    std::mt19937 random(5);
    std::vector<std::pair<VertexId, VertexId>> edges;
    for (VertexId item = 0; item < 6000; ++item) {
        for (int i = 0; i < 50; ++i) {
            const double place = std::pow(static_cast<double>(random() % 9000) / 9000, 2);
            edges.emplace_back(static_cast<VertexId>(9000 * place), item);
        }
    }
    const Graph graph = graph_of(9000, 6000, edges);
    const Schedule tiles = build_tiled(graph, {}), cores = build_core_tail(graph, {});
    REQUIRE(tiles.parameters.at("resident") == "users");
    CHECK(cores.parameters.at("users_edges") == std::to_string(graph.edges()));
    CHECK(cores.parameters.at("users_item_blocks") == tiles.parameters.at("item_blocks"));
    CHECK(verify(graph, cores).ok());
}

TEST_CASE("the cost of tiles: measured sweeps are met, and the best number of blocks is the cheapest") {
    struct Side {
        EdgeId vertices;
        std::vector<double> degrees;  ///< of ranks 0, 1, 2, 4, 8, …
    };
    const auto side = [](const Side& of) {
        return SideOfTiles{
            of.vertices, [&of](double rank) {
                const double place = rank < 1 ? 0 : 1 + std::log2(rank);
                const auto below = std::min(static_cast<std::size_t>(place), of.degrees.size() - 1),
                           above = std::min(below + 1, of.degrees.size() - 1);
                return std::lerp(of.degrees[below], of.degrees[above], place - std::floor(place));
            }};
    };
    const auto predicted = [&](EdgeId edges, const Side& resident, const Side& moving, EdgeId blocks) {
        return 1e3 *
               cost_of_tiles({1, blocks, 2 * blocks}, edges, side(resident), side(moving), 64).seconds();
    };
    const Side lecturers{1128, {792, 666, 637, 406, 342, 315, 269, 216, 162, 90, 37, 12}};
    const Side students{2972, {92, 89, 87, 84, 79, 75, 70, 63, 57, 49, 38, 28, 14}};
    const Side books{10000, {100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 99}};
    const Side readers{53424,
                       {200, 200, 199, 199, 196, 195, 193, 190, 187, 175, 135, 106, 80, 56, 34, 17, 5}};
    const Side needed{60336,
                      {21810, 7439, 6455, 5118, 1798, 1115, 615, 341, 197, 115, 60, 33, 17, 9, 4, 2, 1}};
    const Side needing{60336, {743, 405, 333, 191, 177, 135, 91, 71, 58, 45, 35, 25, 19, 13, 9, 5, 3}};
    const Side items{20000,
                     {52000, 51240, 50503, 49090, 46488, 42033, 35273, 26688, 17950, 10847, 6055, 3214, 1658,
                      842, 424, 213}};
    const Side users{
        100000,
        {4877, 3315, 2821, 2501, 2105, 1753, 1487, 1218, 1013, 849, 694, 568, 460, 375, 304, 246, 197, 158}};
    struct Measured {
        EdgeId edges;
        const Side &resident, &moving;
        EdgeId blocks;
        double ms;
    };
    const Measured all[]{{73421, lecturers, students, 8, 0.081}, {73421, lecturers, students, 33, 0.124},
                         {73421, students, lecturers, 8, 0.104}, {981756, books, readers, 33, 0.226},
                         {981756, readers, books, 33, 0.175},    {981756, readers, books, 66, 0.271},
                         {299188, needed, needing, 44, 0.435},   {299188, needed, needing, 132, 0.619},
                         {20000000, items, users, 132, 1.426},   {20000000, items, users, 99, 1.578}};
    for (const Measured& m : all) {
        INFO(m.edges << " edges, " << m.blocks << " blocks");
        CHECK(predicted(m.edges, m.resident, m.moving, m.blocks) / m.ms == Approx(1).margin(0.2));
    }
    CHECK(predicted(73421, lecturers, students, 8) < predicted(73421, students, lecturers, 8));
    CHECK(predicted(981756, readers, books, 33) < clearly_faster * predicted(981756, books, readers, 33));
    CHECK(predicted(20000000, items, users, 132) < predicted(20000000, items, users, 66));
    BuildOptions options;
    options.resident = Resident::items;
    const auto blocks_for = [&](const Graph& graph) {
        return std::stoull(build_tiled(graph, options).parameters.at("item_blocks"));
    };
    CHECK(blocks_for(random_graph(3000, 1100, 70000, 1)) <= 16);
    options.item_blocks = 0;
    CHECK(blocks_for(random_graph(3000, 1100, 70000, 1)) == 132);
}
