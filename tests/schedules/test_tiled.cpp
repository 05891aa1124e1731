// Tests of the tiled schedule: it is exact for every geometry, and depends only on the graph and the options.
#include <omp.h>

#include <map>

#include "../../schedules/src/tile_blocks.hpp"
#include "insight/build_options.hpp"
#include "proved.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

BuildOptions blocks(VertexId items, VertexId users, VertexId groups = 1) {
    BuildOptions options = insight::default_build_options();
    options.item_blocks = items;
    options.user_blocks = users;
    options.groups = groups;
    return options;
}

void check_tiled(const Graph& graph, const BuildOptions& options) {
    const Schedule schedule = build_tiled(graph, options);
    require_verified(verify(graph, schedule));
    REQUIRE(schedule.disjoint == Disjoint::both);
    const EdgeId strata = std::max<EdgeId>(1, schedule.count(Level::block));
    const EdgeId items = schedule.col_parts.size() - 1, users = schedule.row_parts.size() - 1;
    const EdgeId P = items / strata, R = schedule.count(Level::phase) / strata, groups = users / R,
                 laps = strata / groups;
    REQUIRE(groups == std::max<EdgeId>({1, options.groups, options.gpus}));
    REQUIRE(groups * laps * P == items);
    REQUIRE(groups * R == users);
    REQUIRE(R >= 2 * P);
    REQUIRE(schedule.count(Level::tile) == users * items);
    for (EdgeId s = 0; strata > 1 && s <= strata; ++s) REQUIRE(schedule.level(Level::block)[s] == s * R);

    // Tile p of share a in phase t of super-stratum s joins item block p of item group a L + s mod L with
    // user block (2 p + t) mod R (t even) or (2 p - t) mod R (t odd) of user group (a + s / L) mod G. The
    // executor relies on it.
    std::vector<EdgeId> row_block(graph.rows), col_block(graph.cols);
    for (EdgeId b = 0; b < users; ++b) {
        for (EdgeId i = schedule.row_parts[b]; i < schedule.row_parts[b + 1]; ++i)
            row_block[schedule.row_order[i]] = b;
    }
    for (EdgeId b = 0; b < items; ++b) {
        for (EdgeId i = schedule.col_parts[b]; i < schedule.col_parts[b + 1]; ++i)
            col_block[schedule.col_order[i]] = b;
    }
    const Array<VertexId> row = edge_rows(graph);
    const std::vector<EdgeId> tiles = edge_offsets(schedule, Level::tile);
    const std::vector<EdgeId> tasks = edge_offsets(schedule, Level::task);
    for (EdgeId tile = 0; tile + 1 < tiles.size(); ++tile) {
        for (EdgeId i = tiles[tile]; i < tiles[tile + 1]; ++i) {
            const EdgeId phase = tile / (groups * P), s = phase / R, t = phase % R,
                         a = tile % (groups * P) / P, p = tile % P;
            REQUIRE(col_block[graph.col[schedule.order[i]]] == (a * laps + s % laps) * P + p);
            REQUIRE(row_block[row[schedule.order[i]]] ==
                    (a + s / laps) % groups * R + (2 * p + (t % 2 ? R - t : t)) % R);
        }
    }
    // A task is a star with distinct leaves.
    for (EdgeId t = 0; t + 1 < tasks.size(); ++t) {
        std::vector<VertexId> rows, cols;
        for (EdgeId i = tasks[t]; i < tasks[t + 1]; ++i)
            rows.push_back(row[schedule.order[i]]), cols.push_back(graph.col[schedule.order[i]]);
        const EdgeId size = rows.size();
        for (auto* ends : {&rows, &cols}) {
            std::sort(ends->begin(), ends->end());
            ends->erase(std::unique(ends->begin(), ends->end()), ends->end());
        }
        REQUIRE(size > 0);
        REQUIRE(std::min(rows.size(), cols.size()) == 1);
        REQUIRE(std::max(rows.size(), cols.size()) == size);
    }
}

}  // namespace

TEST_CASE("tiled is exact where the items of a share take turns on chip") {
    for (const VertexId groups : {1U, 2U, 4U}) {
        BuildOptions options = blocks(3, 0, groups);
        options.rank = 64, options.shared_memory_bytes = EdgeId{64} << 10;
        const Graph graph = random_graph(900, 4000, 40'000, groups);
        check_tiled(graph, options);
        CHECK(std::stoi(build_tiled(graph, options).parameters.at("laps")) > 1);
    }
}

TEST_CASE("tiled is exact on the battery and on random graphs, for every geometry") {
    for (const NamedGraph& named : graph_battery()) {
        INFO(named.name);
        for (const auto& options : {blocks(0, 0, 0), blocks(1, 2), blocks(2, 6), blocks(5, 14),
                                    blocks(1, 2, 3), blocks(2, 6, 2), blocks(3, 8, 5)})
            check_tiled(named.graph, options);
    }
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        INFO("seed " << seed);
        check_tiled(random_graph(200 + static_cast<VertexId>(seed), 90, 3000, seed),
                    blocks(1 + seed % 7, 14, 1 + seed % 4));
    }
}

TEST_CASE("a tile's last step of few edges has one that no earlier step has room for") {
    for (const Graph& graph : {random_graph(60, 40, 900, 11), random_graph(400, 30, 3000, 12)}) {
        const Schedule schedule = build_tiled(graph, blocks(3, 6));
        const Array<VertexId> row = edge_rows(graph);
        const std::vector<EdgeId>&tile_steps = schedule.level(Level::tile),
              &steps = schedule.level(Level::step), &tasks = schedule.level(Level::task);
        EdgeId thin = 0;
        for (EdgeId tile = 0; tile + 1 < tile_steps.size(); ++tile) {
            const EdgeId begin = tile_steps[tile], last = tile_steps[tile + 1] - 1;
            if (tile_steps[tile + 1] < begin + 2 || tasks[steps[last + 1]] - tasks[steps[last]] > 16)
                continue;
            ++thin;
            // The centre of a star is known only if the star has several edges.
            enum Role { free, taken, centre };
            const auto fits = [&](EdgeId edge, EdgeId step) {
                std::map<std::pair<bool, VertexId>, Role> roles;
                for (EdgeId task = steps[step]; task < steps[step + 1]; ++task) {
                    const EdgeId first = tasks[task], end = tasks[task + 1];
                    for (EdgeId i = first; i < end; ++i) {
                        const EdgeId e = schedule.order[i], next = schedule.order[first + 1];
                        const bool of_row = end - first > 1 && row[schedule.order[first]] == row[next],
                                   of_col = end - first > 1 && !of_row;
                        roles[{true, row[e]}] = of_row ? centre : taken;
                        roles[{false, graph.col[e]}] = of_col ? centre : taken;
                    }
                }
                const Role u = roles[{true, row[edge]}], v = roles[{false, graph.col[edge]}];
                return u != taken && v != taken && (u == free || v == free);
            };
            EdgeId without_room = 0;
            for (EdgeId i = tasks[steps[last]]; i < tasks[steps[last + 1]]; ++i) {
                bool room = false;
                for (EdgeId step = begin; step < last; ++step) room |= fits(schedule.order[i], step);
                without_room += !room;
            }
            REQUIRE(without_room > 0);
        }
        REQUIRE(thin > 0);
    }
}

TEST_CASE("laps are as few as let the items fit on chip, groups are shared evenly by the devices") {
    const Graph graph = random_graph(3000, 4000, 20000, 5);
    const auto strata_at = [&](VertexId rank, VertexId gpus) {
        BuildOptions options = insight::default_build_options();
        options.item_blocks = 4;
        options.rank = rank;
        options.gpus = gpus;
        check_tiled(graph, options);
        return std::max<EdgeId>(1, build_tiled(graph, options).count(Level::block));
    };
    CHECK(strata_at(16, 1) == 1);
    CHECK(strata_at(16, 2) == 2);
    CHECK(strata_at(16, 3) == 3);
    EdgeId before = 1;
    for (const VertexId rank : {64U, 128U, 256U}) {  // 4,000 vectors, 4 blocks of 227 KB minus the users
        const EdgeId strata = strata_at(rank, 1);
        CHECK(strata > before);
        CHECK(strata * 4 * (EdgeId{227} << 10) > EdgeId{4000} * rank * 4);
        CHECK(strata_at(rank, 4) % 4 == 0);
        CHECK(strata_at(rank, 4) >= strata);
        before = strata;
    }
    BuildOptions odd = blocks(2, 4, 3);
    odd.gpus = 2;
    CHECK_THROWS_WITH(build_tiled(graph, odd), Catch::Contains("multiple"));
}

TEST_CASE("a tile grid: every item block meets every user block in one phase, two never the same") {
    for (const TileGrid grid :
         {TileGrid{1, 3, 8}, {2, 3, 6}, {5, 2, 10}, {1, 1, 2}, {1, 4, 14}, {1, 2, 6, 3}, {4, 2, 4, 3}}) {
        std::vector<bool> met(grid.tiles());
        for (EdgeId p = 0; p < grid.all_item_blocks(); ++p) {
            for (EdgeId u = 0; u < grid.all_user_blocks(); ++u) {
                const EdgeId tile = grid.tile(p, u), phase = tile / grid.side_by_side();
                REQUIRE(tile < grid.tiles());
                REQUIRE(grid.item_block_of(phase, tile % grid.side_by_side()) == p);
                REQUIRE(grid.user_block_of(phase, tile % grid.side_by_side()) == u);
                REQUIRE(!met[tile]);
                met[tile] = true;
            }
        }
        // A user block meets the item blocks one after another, at least two phases apart.
        for (EdgeId u = 0; u < grid.user_blocks; ++u) {
            std::vector<EdgeId> phases(grid.item_blocks, ~EdgeId{0});
            for (EdgeId p = 0; p < grid.item_blocks; ++p)
                phases.at(grid.meetings_before(u, p)) = grid.tile(p, u) / grid.side_by_side();
            for (EdgeId i = 1; i < phases.size(); ++i) REQUIRE(phases[i] >= phases[i - 1] + 2);
        }
    }
}

TEST_CASE("tiled takes graphs without edges, a hub and repeated pairs") {
    check_tiled(graph_of(0, 0, {}), insight::default_build_options());
    check_tiled(graph_of(1, 1, {}), insight::default_build_options());
    check_tiled(graph_of(1, 1, {{0, 0}}), insight::default_build_options());
    std::vector<std::pair<VertexId, VertexId>> hub, repeats;
    for (VertexId u = 0; u < 500; ++u) hub.emplace_back(u, 3);
    for (VertexId i = 0; i < 400; ++i) repeats.emplace_back(1, 2);  // 400 steps of one edge each
    check_tiled(graph_of(500, 10, hub), insight::default_build_options());
    check_tiled(graph_of(500, 10, hub), blocks(1, 2));
    check_tiled(graph_of(4, 4, repeats), insight::default_build_options());
}

TEST_CASE("tiled is the same for any number of threads") {
    const Graph graph = random_graph(400, 150, 8000, 3);
    const int most = omp_get_max_threads();
    omp_set_num_threads(1);
    const Schedule once = build_tiled(graph, blocks(6, 18));
    for (const int threads : {2, 4}) {
        omp_set_num_threads(threads);
        const Schedule again = build_tiled(graph, blocks(6, 18));
        CHECK(again.order == once.order);
        CHECK(again.offsets == once.offsets);
        CHECK(again.row_order == once.row_order);
        CHECK(again.col_order == once.col_order);
    }
    omp_set_num_threads(most);
}

TEST_CASE("tile blocks: each vertex once, work and sizes balanced") {
    std::vector<EdgeId> degree(20000, 3);
    for (EdgeId v = 0; v < 4000; ++v) degree[5 * v] = 1 + v * v % 97;
    degree[123] = 900;
    for (const VertexId blocks : {1U, 2U, 7U, 132U}) {
        INFO(blocks << " blocks");
        const Blocks by_work = balanced_by_work(Ranking(degree), blocks, 1),
                     by_size = balanced_by_size(Ranking(degree), blocks);
        for (const Blocks* found : {&by_work, &by_size}) {
            REQUIRE(found->count() == blocks);
            CHECK(is_permutation(std::span(found->order)));
            CHECK(found->parts.back() == degree.size());
        }
        EdgeId least = ~EdgeId{0}, most = 0;
        for (VertexId b = 0; b < blocks; ++b) {
            EdgeId work = 0;
            for (EdgeId i = by_work.parts[b]; i < by_work.parts[b + 1]; ++i)
                work += degree[by_work.order[i]] + 1;
            least = std::min(least, work), most = std::max(most, work);
            const EdgeId size = by_size.parts[b + 1] - by_size.parts[b];
            CHECK((size == degree.size() / blocks || size == degree.size() / blocks + 1));
        }
        const EdgeId smallest = *std::min_element(degree.begin(), degree.end());
        // The last assigned vertices have the least work and balance the blocks.
        CHECK(most - least <= smallest + 1);
    }
}

TEST_CASE("half-precision factors leave room for larger blocks of users") {
    const Graph graph = random_graph(100000, 500, 1000000, 4);
    BuildOptions options = insight::default_build_options();
    options.rank = 128, options.multiprocessors = 8;
    const VertexId single = choose_geometry(tile_sides(graph), options).grid.user_blocks;
    options.half_precision = true;
    CHECK(choose_geometry(tile_sides(graph), options).grid.user_blocks < single);
    options.rank = 256;  // the vectors have as many bytes as before
    CHECK(choose_geometry(tile_sides(graph), options).grid.user_blocks == single);
}

TEST_CASE("tiled refuses too few user blocks") {
    CHECK_THROWS_WITH(build_tiled(random_graph(50, 50, 200, 1), blocks(4, 7)), Catch::Contains("twice"));
}

TEST_CASE("grids far larger than the graph are refused before they take any memory") {
    const Graph graph = random_graph(80, 60, 900, 21);
    const auto refused = [&](auto change) {
        BuildOptions options = insight::default_build_options();
        change(options);
        CHECK_THROWS_WITH(build_tiled(graph, options), Catch::Contains("choose fewer --groups"));
    };
    refused([](BuildOptions& o) { o.groups = 1'000'000; });
    refused([](BuildOptions& o) { o.item_blocks = 4'000'000'000; });
    refused([](BuildOptions& o) { o.user_blocks = 4'000'000'000; });
    refused([](BuildOptions& o) { o.groups = ~VertexId{0}, o.item_blocks = ~VertexId{0} - 1; });
    BuildOptions options = insight::default_build_options();
    options.item_blocks = 4'000'000'000;
    CHECK_THROWS_WITH(build_blocked(graph, options, options.seed),
                      Catch::Contains("choose at most 4096 --item-blocks"));
}
