// The tiled schedule: exact for every geometry, a function of graph and options alone.
#include <omp.h>

#include "../../schedules/src/tile_blocks.hpp"
#include "catch.hpp"
#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/verify.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

BuildOptions blocks(VertexId items, VertexId users) {
    BuildOptions options;
    options.item_blocks = items;
    options.user_blocks = users;
    return options;
}

void check_tiled(const Graph& graph, const BuildOptions& options) {
    const Schedule schedule = build_tiled(graph, options);
    const Verification v = verify(graph, schedule);
    INFO((v.problems.empty() ? "" : v.problems[0]));
    REQUIRE(v.ok());
    REQUIRE(schedule.disjoint == Disjoint::both);
    const EdgeId items = schedule.col_parts.size() - 1, users = schedule.row_parts.size() - 1;
    REQUIRE(users >= 2 * items);
    REQUIRE(schedule.count(Level::phase) == users);
    REQUIRE(schedule.count(Level::tile) == users * items);

    // Tile p of phase t is item block p x user block (2 p + t) mod R: what the executor takes for granted.
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
            REQUIRE(col_block[graph.col[schedule.order[i]]] == tile % items);
            REQUIRE(row_block[row[schedule.order[i]]] == (2 * (tile % items) + tile / items) % users);
        }
    }
    // A task is a star whose leaves are distinct.
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

TEST_CASE("tiled is exact on the battery and on random graphs, for every geometry") {
    for (const NamedGraph& named : graph_battery()) {
        INFO(named.name);
        for (const auto& options : {blocks(0, 0), blocks(1, 2), blocks(2, 5), blocks(5, 13)})
            check_tiled(named.graph, options);
    }
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        INFO("seed " << seed);
        check_tiled(random_graph(200 + static_cast<VertexId>(seed), 90, 3000, seed),
                    blocks(1 + seed % 7, 14));
    }
}

TEST_CASE("tiled takes graphs without edges, a hub and repeated pairs") {
    check_tiled(graph_of(0, 0, {}), {});
    check_tiled(graph_of(1, 1, {}), {});
    check_tiled(graph_of(1, 1, {{0, 0}}), {});
    std::vector<std::pair<VertexId, VertexId>> hub, repeats;
    for (VertexId u = 0; u < 500; ++u) hub.emplace_back(u, 3);
    for (VertexId i = 0; i < 400; ++i) repeats.emplace_back(1, 2);  // 400 steps of one edge
    check_tiled(graph_of(500, 10, hub), {});
    check_tiled(graph_of(500, 10, hub), blocks(1, 2));
    check_tiled(graph_of(4, 4, repeats), {});
}

TEST_CASE("tiled is the same for any number of threads") {
    const Graph graph = random_graph(400, 150, 8000, 3);
    const int most = omp_get_max_threads();
    omp_set_num_threads(1);
    const Schedule once = build_tiled(graph, blocks(6, 17));
    for (const int threads : {2, 4}) {
        omp_set_num_threads(threads);
        const Schedule again = build_tiled(graph, blocks(6, 17));
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
        const Blocks by_work = balanced_by_work(degree, blocks, 1),
                     by_size = balanced_by_size(degree, blocks);
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
        CHECK(most - least <= smallest + 1);  // the last vertices dealt, of the least work, even it out
    }
}

TEST_CASE("tiled refuses too few user blocks") {
    CHECK_THROWS_WITH(build_tiled(random_graph(50, 50, 200, 1), blocks(4, 7)), Catch::Contains("twice"));
}
