// The traversals of neighbour iteration, with an operator that is not PageRank's.
#include <numeric>

#include "catch.hpp"
#include "executor_support.hpp"
#include "label_operator.hpp"
#include "lockstep/executor/cpu/neighbours.hpp"
#include "lockstep/executor/edge_tiles.hpp"
#include "square_graphs.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace lockstep::test {

std::vector<std::uint32_t> labels_on_cpu(const NeighbourPlan& plan, int threads, std::uint64_t* rounds) {
    std::vector<std::uint32_t> from(plan.vertices), to(plan.vertices), smallest(plan.vertices, ~0U);
    std::iota(from.begin(), from.end(), 0U);
    *rounds = 0;
    cpu::iterate(plan, LabelOperator{from.data(), to.data(), smallest.data(), 0}, threads,
                 [&](const auto&, double) {
                     ++*rounds;
                     return true;
                 });
    return *rounds % 2 ? to : from;
}

}  // namespace lockstep::test

namespace {

/// Components by union and find, each named by its smallest position.
std::vector<std::uint32_t> components(const Graph& graph, const std::vector<VertexId>& order) {
    std::vector<VertexId> position(graph.rows), parent(graph.rows);
    for (VertexId p = 0; p < graph.rows; ++p) position[order.empty() ? p : order[p]] = p;
    std::iota(parent.begin(), parent.end(), VertexId{0});
    const auto root = [&](VertexId v) {
        while (parent[v] != v) v = parent[v] = parent[parent[v]];
        return v;
    };
    const Array<VertexId> row = edge_rows(graph);
    for (EdgeId e = 0; e < graph.edges(); ++e) {
        const VertexId a = root(position[row[e]]), b = root(position[graph.col[e]]);
        parent[std::max(a, b)] = std::min(a, b);
    }
    std::vector<std::uint32_t> labels(graph.rows);
    for (VertexId p = 0; p < graph.rows; ++p) labels[p] = root(p);
    return labels;
}

NeighbourPlan plan_of(const Graph& graph, const Strategy& strategy, VirtualWarps warps = {}) {
    const std::optional<Schedule> schedule = schedule_for(graph, strategy);
    return make_neighbour_plan(graph, strategy, schedule ? &*schedule : nullptr, warps);
}

}  // namespace

TEST_CASE("every traversal runs another operator: labels are the connected components") {
    for (const NamedGraph& named : square_battery(true)) {
        for (const Strategy& strategy : strategies("pagerank")) {
            INFO(named.name << ", " << strategy.name);
            const NeighbourPlan plan = plan_of(named.graph, strategy);
            std::uint64_t rounds = 0;
            REQUIRE(labels_on_cpu(plan, 3, &rounds) == components(named.graph, plan.order));
        }
    }
}

#if defined(LOCKSTEP_HAS_CUDA)
TEST_CASE("every traversal runs another operator on the GPU, in as many rounds as on the CPU") {
    if (!gpu_or_skip()) return;
    for (const NamedGraph& named : square_battery(true)) {
        for (const Strategy& strategy : strategies("pagerank")) {
            for (const int width : {1, 2, 8, 32, 64}) {
                if (!strategy.virtual_warps && width > 1) continue;
                INFO(named.name << ", " << strategy.name << ", warps of " << width);
                const NeighbourPlan plan = plan_of(named.graph, strategy, {width, 1 + width % 10});
                std::uint64_t rounds = 0, cpu_rounds = 0;
                REQUIRE(labels_on_cuda(plan, &rounds) == labels_on_cpu(plan, 2, &cpu_rounds));
                REQUIRE(rounds == cpu_rounds);
            }
        }
    }
}
#endif

TEST_CASE("a plan holds every arc once, by source and by target, in any order of the vertices") {
    for (const NamedGraph& named : square_battery(false)) {
        const Schedule degree = build_degree(named.graph, {});
        for (const Strategy& strategy : strategies("pagerank")) {
            for (const bool sorted : {false, true}) {
                if (sorted && strategy.schedule) continue;
                INFO(named.name << ", " << strategy.name << (sorted ? ", by degree" : ""));
                const std::optional<Schedule> own = schedule_for(named.graph, strategy);
                const NeighbourPlan plan = make_neighbour_plan(named.graph, strategy,
                                                               own      ? &*own
                                                               : sorted ? &degree
                                                                        : nullptr);
                std::vector<std::pair<VertexId, VertexId>> expected, found;
                const auto vertex = [&](VertexId p) { return plan.order.empty() ? p : plan.order[p]; };
                const Array<VertexId> row = edge_rows(named.graph);
                for (EdgeId e = 0; e < named.graph.edges(); ++e)
                    expected.emplace_back(row[e], named.graph.col[e]);
                VertexId wrong_degrees = 0;
                for (VertexId p = 0; p < plan.vertices; ++p) {
                    wrong_degrees += plan.out[p + 1] - plan.out[p] != named.graph.row_offsets[vertex(p) + 1] -
                                                                          named.graph.row_offsets[vertex(p)];
                    if (!plan.scatters()) {
                        for (EdgeId e = plan.in[p]; e < plan.in[p + 1]; ++e)
                            found.emplace_back(vertex(plan.sources[e]), vertex(p));
                    } else {
                        for (EdgeId e = plan.out[p]; e < plan.out[p + 1]; ++e)
                            found.emplace_back(vertex(p), vertex(plan.targets[e]));
                    }
                }
                REQUIRE(wrong_degrees == 0);
                std::sort(expected.begin(), expected.end());
                std::sort(found.begin(), found.end());
                REQUIRE(found == expected);
            }
        }
    }
}

TEST_CASE("the streams of edge tiles name the target of every arc") {
    for (const NamedGraph& named : square_battery(false)) {
        INFO(named.name);
        const NeighbourPlan plan = plan_of(named.graph, find_strategy("edge-tiled", "pagerank"));
        const EdgeTiles tiles = edge_tiles(plan);
        EdgeId arcs = 0, wrong = 0;
        VertexId targets = 0;
        for (const EdgeTile& tile : tiles.tiles) {
            targets += tile.targets;
            for (EdgeId i = 0; i < tile.arcs; ++i, ++arcs) {
                const EdgeId group = tile.group + i / arc_group;
                const std::uint16_t mark = tiles.marks[group];
                const unsigned before = (1U << i % arc_group) - 1;
                const VertexId target = tile.first + (mark >> arc_group) +
                                        static_cast<VertexId>(__builtin_popcount(mark & before));
                const EdgeId arc = plan.in[tile.first] + i;
                wrong += arc < plan.in[target] || arc >= plan.in[target + 1];
                wrong += tiles.sources[group * arc_group + i % arc_group] != plan.sources[arc];
                wrong += (mark >> i % arc_group & 1) != (arc + 1 == plan.in[target + 1]);
            }
        }
        REQUIRE(wrong == 0);
        REQUIRE(arcs == plan.arcs);
        REQUIRE(targets == plan.vertices);
    }
}

TEST_CASE("plans that are illegal, or of another graph, are refused with the reason") {
    const Graph graph = square_graph(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
    const Strategy& tiled = find_strategy("edge-tiled", "pagerank");
    Schedule schedule = *schedule_for(graph, tiled);
    CHECK_THROWS_WITH(make_neighbour_plan(paper_graph(), find_strategy("pull", "pagerank"), nullptr),
                      Catch::Contains("--shape square"));
    CHECK_THROWS_WITH(make_neighbour_plan(graph, find_strategy("agm-e"), nullptr),
                      Catch::Contains("does not visit neighbours"));
    CHECK_THROWS_WITH(make_plan(graph, find_strategy("pull", "pagerank"), nullptr),
                      Catch::Contains("visits neighbours"));
    CHECK_THROWS_WITH(make_neighbour_plan(graph, tiled, nullptr), Catch::Contains("needs the schedule"));
    Schedule racing = schedule;
    racing.disjoint = Disjoint::row;
    CHECK_THROWS_WITH(make_neighbour_plan(graph, tiled, &racing), Catch::Contains("without atomics"));
    Schedule crossed = schedule;
    std::swap(crossed.order[0], crossed.order[1]);
    CHECK_THROWS_WITH(make_neighbour_plan(graph, tiled, &crossed), Catch::Contains("not grouped by target"));
    const Schedule other = build_edge_tiled(square_graph(4, {{0, 1}}), {});
    CHECK_THROWS_WITH(make_neighbour_plan(graph, tiled, &other), Catch::Contains("another graph"));
    const Schedule shuffle = build_shuffle(graph, {});
    CHECK_THROWS_WITH(make_neighbour_plan(graph, find_strategy("pull", "pagerank"), &shuffle),
                      Catch::Contains("no order of the vertices"));
}

TEST_CASE("offsets beyond 2^32 take a fifth byte") {
    const std::vector<EdgeId> large{0, 7, EdgeId{1} << 32, (EdgeId{5} << 32) + 3};
    const Offsets offsets(large);
    for (std::size_t i = 0; i < large.size(); ++i) CHECK(offsets[i] == large[i]);
    CHECK(offsets.bytes() == 5 * large.size());
    CHECK(Offsets(std::vector<EdgeId>{0, 9}).bytes() == 8);
    CHECK_THROWS_AS(Offsets(std::vector<EdgeId>{0, EdgeId{1} << 40}), Error);
}
