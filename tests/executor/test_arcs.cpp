// Tests of the walks along arcs, with operators other than PageRank's.
#include <numeric>

#include "apps/frame/arcs.hpp"
#include "arc_operators.hpp"
#include "catch.hpp"
#include "executor_support.hpp"
#include "lockstep/executor/arc/rounds.hpp"
#include "square_graphs.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Returns the components, found by union and find, by vertex. The label of a component is its smallest
/// position.
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
    for (VertexId v = 0; v < graph.rows; ++v) labels[v] = root(position[v]);
    return labels;
}

ArcPlan plan_of(const Graph& graph, const Strategy& strategy, arc::VirtualWarps warps = {}) {
    const std::optional<Schedule> schedule = schedule_for(graph, strategy);
    return make_arc_plan(graph, strategy, schedule ? &*schedule : nullptr, warps);
}

/// Returns the result of an operator by vertex of the graph. `*rounds` receives the number of rounds,
/// `*total` the sum of the tallies.
template <class Op>
auto run(Device device, const ArcPlan& plan, std::uint64_t* rounds, typename Op::Tally* total,
         int threads = 3) {
    *rounds = 0, *total = {};
    double seconds = 0;
    const auto on_round = [&](const auto& tally) {
        ++*rounds;
        add_tally(*total, tally);
        return true;
    };
    return arc_runner(device, plan, Op{}, threads).run(on_round, &seconds);
}

/// Calls `check` with a plan for the CPU and, if there is a GPU, with several shapes of virtual warps for it.
template <class Check>
void on_every_device(const Graph& graph, const Strategy& strategy, Check check) {
    check(Device::cpu, plan_of(graph, strategy));
    std::string reason;
    if (!cuda_available(&reason)) return;
    for (const int width : {1, 2, 8, 32, 64}) {
        INFO("on the GPU, warps of " << width);
        if (strategy.walk.virtual_warps || width == 1)
            check(Device::cuda, plan_of(graph, strategy, {width, 1 + width % 10}));
    }
}

/// Returns the counts that CountOperator must find.
std::vector<CountOperator::Counted> counts(const Graph& graph, const ArcPlan& plan) {
    const arc::OrderedGraph numbered(graph, arcs_of(plan).order);
    std::vector<CountOperator::Counted> expected(graph.rows, {CountOperator::all_rounds, 0});
    const Array<VertexId> row = edge_rows(graph);
    for (EdgeId e = 0; e < graph.edges(); ++e) {
        for (std::uint32_t round = 0; round < CountOperator::all_rounds; ++round)
            expected[graph.col[e]].offered += CountOperator::signature(numbered.position(row[e]), round);
    }
    return expected;
}

}  // namespace

TEST_CASE("every walk runs another operator: labels are the connected components") {
    for (const NamedGraph& named : square_battery(true)) {
        for (const Strategy& strategy : strategies("pagerank")) {
            INFO(named.name << ", " << strategy.name);
            std::uint64_t expected_rounds = 0;
            on_every_device(named.graph, strategy, [&](Device device, const ArcPlan& plan) {
                std::uint64_t rounds = 0;
                LabelOperator::Tally total;
                REQUIRE(run<LabelOperator>(device, plan, &rounds, &total) ==
                        components(named.graph, arcs_of(plan).order));
                if (device == Device::cpu) expected_rounds = rounds;
                REQUIRE(rounds == expected_rounds);
            });
        }
    }
}

TEST_CASE("every walk visits every arc, and finishes every vertex, once a round") {
    for (const NamedGraph& named : square_battery(false)) {
        for (const Strategy& strategy : strategies("pagerank")) {
            INFO(named.name << ", " << strategy.name);
            on_every_device(named.graph, strategy, [&](Device device, const ArcPlan& plan) {
                std::uint64_t rounds = 0;
                CountOperator::Tally total;
                REQUIRE(run<CountOperator>(device, plan, &rounds, &total) == counts(named.graph, plan));
                REQUIRE(total.conflicts == 0);
                REQUIRE(rounds == (named.graph.rows ? CountOperator::all_rounds : 0));
            });
        }
    }
}

TEST_CASE("an arc in the place of another is found, on every walk") {
    const Graph graph = square_battery(false)[11].graph;
    for (const Strategy& strategy : strategies("pagerank")) {
        INFO(strategy.name);
        on_every_device(graph, strategy, [&](Device device, ArcPlan plan) {
            std::visit(
                [&]<class Walk>(Walk& walk) {
                    if constexpr (Walk::scatters)
                        walk.targets[17] = walk.targets[17] == 0 ? 1 : 0;
                    else
                        walk.sources[17] = walk.sources[17] == 0 ? 1 : 0;
                },
                plan);
            std::uint64_t rounds = 0;
            CountOperator::Tally total;
            CHECK(run<CountOperator>(device, plan, &rounds, &total) != counts(graph, plan));
        });
    }
}

TEST_CASE("two workers with one target are found, on every walk that has no atomics") {
    const Graph graph = square_battery(false)[11].graph;
    for (const Strategy& strategy : strategies("pagerank")) {
        INFO(strategy.name);
        std::visit(
            [&]<class Walk>(Walk walk) {
                if constexpr (!Walk::scatters) {
                    CountOperator op{};
                    arc::HostArrays arrays;
                    arc::Memory memory{walk, walk.out.view(), std::ref(arrays)};
                    op.start(memory);
                    CountOperator::Tally tally{};
                    gather(walk, op, 0, 200, tally);
                    CHECK(tally.conflicts == 0);
                    gather(walk, op, 199, walk.vertices, tally);
                    CHECK(tally.conflicts == 1);
                }
#if defined(LOCKSTEP_HAS_CUDA)
                if constexpr (std::derived_from<Walk, arc::Tiles>) {
                    if (gpu_or_skip()) CHECK(planted_conflicts(walk) > 0);
                }
#endif
            },
            plan_of(graph, strategy));
    }
}

TEST_CASE("a plan holds every arc once, by source and by target, in any order of the vertices") {
    for (const NamedGraph& named : square_battery(false)) {
        const Schedule degree = build_degree(named.graph);
        for (const Strategy& strategy : strategies("pagerank")) {
            for (const bool sorted : {false, true}) {
                if (sorted && strategy.schedule) continue;
                INFO(named.name << ", " << strategy.name << (sorted ? ", by degree" : ""));
                const std::optional<Schedule> own = schedule_for(named.graph, strategy);
                const ArcPlan plan = make_arc_plan(named.graph, strategy,
                                                   own      ? &*own
                                                   : sorted ? &degree
                                                            : nullptr);
                const arc::Arcs& arcs = arcs_of(plan);
                std::vector<std::pair<VertexId, VertexId>> expected, found;
                const auto vertex = [&](VertexId p) { return arcs.order.empty() ? p : arcs.order[p]; };
                const Array<VertexId> row = edge_rows(named.graph);
                for (EdgeId e = 0; e < named.graph.edges(); ++e)
                    expected.emplace_back(row[e], named.graph.col[e]);
                VertexId wrong_degrees = 0;
                for (VertexId p = 0; p < arcs.vertices; ++p)
                    wrong_degrees += arcs.out.view().degree(p) != named.graph.row_offsets[vertex(p) + 1] -
                                                                      named.graph.row_offsets[vertex(p)];
                std::visit(
                    [&]<class Walk>(const Walk& walk) {
                        for (VertexId p = 0; p < walk.vertices; ++p) {
                            for (EdgeId e = walk.lists()[p]; e < walk.lists()[p + 1]; ++e) {
                                if constexpr (Walk::scatters)
                                    found.emplace_back(vertex(p), vertex(walk.targets[e]));
                                else
                                    found.emplace_back(vertex(walk.sources[e]), vertex(p));
                            }
                        }
                    },
                    plan);
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
        const ArcPlan all = plan_of(named.graph, find_strategy("edge-tiled", "pagerank"));
        const auto& plan = std::get<arc::Tiles>(all);
        const arc::EdgeTiles tiles(plan);
        EdgeId arcs = 0, wrong = 0;
        VertexId targets = 0;
        for (const arc::EdgeTile& tile : tiles.tiles) {
            targets += tile.targets;
            for (EdgeId i = 0; i < tile.arcs; ++i, ++arcs) {
                const EdgeId group = tile.group + i / arc::arc_group;
                const std::uint16_t mark = tiles.marks[group];
                const unsigned before = (1U << i % arc::arc_group) - 1;
                const VertexId target = tile.first + (mark >> arc::arc_group) +
                                        static_cast<VertexId>(__builtin_popcount(mark & before));
                const EdgeId at = plan.in[tile.first] + i;
                wrong += at < plan.in[target] || at >= plan.in[target + 1];
                wrong += tiles.sources[group * arc::arc_group + i % arc::arc_group] != plan.sources[at];
                wrong += (mark >> i % arc::arc_group & 1) != (at + 1 == plan.in[target + 1]);
            }
        }
        REQUIRE(wrong == 0);
        REQUIRE(arcs == plan.arcs);
        REQUIRE(targets == plan.vertices);
    }
}

TEST_CASE("plans that are illegal, or of another graph, are refused with the reason") {
    const Graph graph = square_graph(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
    const Strategy &pull = find_strategy("pull", "pagerank"),
                   &tiled = find_strategy("edge-tiled", "pagerank");
    const auto refused = [](const Graph& g, const Strategy& strategy, const Schedule* schedule,
                            const char* reason) {
        INFO(strategy.name);
        CHECK_THROWS_WITH(make_arc_plan(g, strategy, schedule), Catch::Contains(reason));
    };
    refused(paper_graph(), pull, nullptr, "--shape square");
    refused(graph, find_strategy("agm-e"), nullptr, "does not work on arcs");
    CHECK_THROWS_WITH(make_plan(graph, pull, nullptr), Catch::Contains("works on arcs"));
    const Schedule shuffle = build_shuffle(graph);
    refused(graph, pull, &shuffle, "no order of the vertices");
    const Schedule other = build_edge_tiled(square_graph(4, {{0, 1}}));
    refused(graph, tiled, &other, "another graph");
    CHECK_THROWS_WITH(make_arc_plan(graph, pull, nullptr, {3, 1}), Catch::Contains("warp size"));
}

TEST_CASE("a planted conflict is refused, on every walk that its schedule keeps from atomics") {
    const Graph graph = square_battery(false)[11].graph;
    for (const Strategy& strategy : strategies("pagerank")) {
        if (!strategy.schedule) continue;
        INFO(strategy.name);
        CHECK_THROWS_WITH(make_arc_plan(graph, strategy, nullptr), Catch::Contains("needs the schedule"));
        const auto refused = [&](const char* reason, auto plant) {
            Schedule schedule = *schedule_for(graph, strategy);
            plant(schedule);
            CHECK_THROWS_WITH(make_arc_plan(graph, strategy, &schedule), Catch::Contains(reason));
        };
        refused("without atomics", [](Schedule& s) { s.disjoint = Disjoint::row; });
        refused("not grouped by target", [&](Schedule& s) {  // puts one target in two tasks
            const auto other = std::find_if(s.order.begin(), s.order.end(),
                                            [&](EdgeId e) { return graph.col[e] != graph.col[s.order[0]]; });
            std::swap(s.order[0], *other);
        });
        refused("does not divide", [](Schedule& s) {  // puts one target in two tiles
            std::vector<EdgeId>& tiles = s.level(Level::tile);
            tiles.insert(tiles.end() - 1, tiles[tiles.size() - 2] - 1);
            ++s.level(Level::phase)[1];
        });
        refused("does not divide", [](Schedule& s) {  // makes tasks overlap
            auto& tasks = s.level(Level::task);
            std::swap(tasks[5],
                      *std::find_if(tasks.begin(), tasks.end(), [&](EdgeId t) { return t > tasks[5]; }));
        });
    }
}

TEST_CASE("offsets beyond 2^32 take a fifth byte") {
    const std::vector<EdgeId> large{0, 7, EdgeId{1} << 32, (EdgeId{5} << 32) + 3};
    const Offsets offsets(large);
    for (std::size_t i = 0; i < large.size(); ++i) CHECK(offsets[i] == large[i]);
    CHECK(offsets.bytes() == 5 * large.size());
    CHECK(Offsets(std::vector<EdgeId>{0, 9}).bytes() == 8);
    CHECK_THROWS_AS(Offsets(std::vector<EdgeId>{0, EdgeId{1} << 40}), Error);
}
