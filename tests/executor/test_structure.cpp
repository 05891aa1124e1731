// The structure of graphs: every way through every graph gives what a serial reference gives, on every
// device; checkers find planted faults.
#include <cmath>
#include <random>

#include "apps/cc/operator.hpp"
#include "apps/cc/reference.hpp"
#include "apps/device.hpp"
#include "apps/kcore/operator.hpp"
#include "apps/kcore/reference.hpp"
#include "apps/mis/reference.hpp"
#include "apps/mst/reference.hpp"
#include "catch.hpp"
#include "executor_support.hpp"
#include "lockstep/executor/structure/components.hpp"
#include "lockstep/executor/structure/cores.hpp"
#include "lockstep/executor/structure/exact_sum.hpp"
#include "lockstep/executor/structure/forest.hpp"
#include "lockstep/executor/structure/independent.hpp"
#include "square_graphs.hpp"
#include "support.hpp"
#include "weighted_graphs.hpp"

using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::structure;

namespace {

using Values = std::vector<std::uint32_t>;

/// The battery both ways; hubs in components of their own; cores within cores; a ladder that is peeled from
/// its ends; a clique whose vertices are more than a queue on chip takes; two components of skewed degrees
/// and many arcs, hubs anywhere.
std::vector<NamedGraph> graphs() {
    std::vector<NamedGraph> all = square_battery(false);
    for (NamedGraph& undirected : square_battery(true)) {
        undirected.name += ", undirected";
        all.push_back(std::move(undirected));
    }
    using Arcs = std::vector<std::pair<VertexId, VertexId>>;
    Arcs stars, nested, ladder, spokes, skewed;
    for (VertexId i = 0; i < 40000; ++i) stars.emplace_back(i % 7 * 6000, i % 7 * 6000 + i / 7 + 1);
    for (VertexId i = 0; i < 300; ++i) {
        for (VertexId j = i + 1; j < 300; j += 1 + i / 20) nested.emplace_back(i, j);
    }
    for (VertexId i = 0; i < 3000; ++i) {
        ladder.emplace_back(2 * i, 2 * i + 1);
        if (i) ladder.emplace_back(2 * i - 2, 2 * i), ladder.emplace_back(2 * i - 1, 2 * i + 1);
    }
    for (VertexId i = 0; i < 20000; ++i) {
        for (VertexId hub = 0; hub < 3 + i % 3; ++hub) spokes.emplace_back(20000 + hub, i);
    }
    std::mt19937 random(18);
    const auto drawn = [&] { return static_cast<VertexId>(1500 * std::pow(random() * 0x1p-32, 3)); };
    for (VertexId i = 0; i < 30000; ++i)
        skewed.emplace_back((2 * drawn() + i % 2) * 1009 % 3000, (2 * drawn() + i % 2) * 1009 % 3000);
    all.push_back({"two components of skewed degrees", square_graph(3000, skewed, true)});
    all.push_back({"seven stars", square_graph(42000, stars, true)});
    all.push_back({"cores within cores", square_graph(300, nested, true)});
    all.push_back({"a ladder", square_graph(6000, ladder, true)});
    all.push_back({"many of one degree around few hubs", square_graph(20005, spokes, true)});
    return all;
}

/// Calls run(plan) for the graph as it is, and by degree.
void in_both_orders(const Graph& graph, bool weights, const std::function<void(const Undirected&)>& run) {
    run(make_undirected(graph, weights));
    run(make_undirected(graph, weights, build_degree(graph, {}).row_order));
}

/// Who of the two devices runs it.
template <class OnCpu, class OnCuda>
Runner runner_on(Device device, OnCpu on_cpu, [[maybe_unused]] OnCuda on_cuda) {
#if defined(LOCKSTEP_HAS_CUDA)
    if (device == Device::cuda) return on_cuda();
#endif
    static_cast<void>(device);
    return on_cpu();
}

void same_again(const Runner& runner, const Values& expected, int repeats) {
    for (int i = 0; i < repeats; ++i) REQUIRE((runner.run().values == expected));
}

void components(Device device) {
    for (const NamedGraph& named : graphs()) {
        INFO(named.name);
        const Values expected = cc::reference_labels(named.graph);
        in_both_orders(named.graph, false, [&](const Undirected& plan) {
            for (const Joining joining : {Joining::sampled, Joining::soman}) {
                for (const int threads : {1, 2, 5}) {
                    if (device == Device::cuda && threads > 1) continue;
                    same_again(runner_on(
                                   device, [&] { return components_on_cpu(plan, threads); },
                                   [&] { return components_on_cuda(plan, joining); }),
                               expected, 3);
                }
            }
        });
    }
}

/// Labels that spread, and degrees that fall, by rounds over active vertices, whatever the axes.
void by_active_vertices(Device device) {
    std::vector<std::string> ways{"--direction push", "--direction pull", "--direction adaptive:0.1"};
    for (const char* balance : {"serial", "sub-warp:4", "warp", "fine+warp+block --small 4 --large 64"}) {
        for (const char* rest :
             {"--active scan --filter none", "--active bitmap --filter none --loop all",
              "--filter append --append block --loop outlined --defer 40", "--filter batch",
              "--filter online --loop fused", "--filter ballot --loop all", "--filter strided --chunk 300",
              "--filter jit:2 --loop fused", "--filter jit:2 --direction adaptive:0.1 --loop all"}) {
            if (device == Device::cuda) ways.push_back("--balance " + std::string(balance) + " " + rest);
        }
    }
    for (const NamedGraph& named : graphs()) {
        if (named.graph.rows == 0 || named.graph.rows > 100000) continue;
        INFO(named.name);
        const Undirected undirected = make_undirected(named.graph, false);
        frontier::Expand plan;
        plan.vertices = undirected.vertices, plan.arcs = undirected.arcs(), plan.symmetric = true;
        plan.out = {undirected.offsets, undirected.ends, {}};
        const auto check = [&](const Values& expected, std::optional<std::uint32_t> k) {
            for (const std::string& way : ways) {
                INFO(way << (k ? ", k " + std::to_string(*k) : ""));
                frontier::Axes axes;
                frontier::set_axes(axes, way);
                if (k && axes.pulls()) continue;
                frontier::Runner runner;
#if defined(LOCKSTEP_HAS_CUDA)
                if (device == Device::cuda)
                    runner = k ? kcore::fall_on_cuda(plan, axes, *k) : cc::spread_on_cuda(plan, axes);
#endif
                if (device == Device::cpu)
                    runner = k ? kcore::fall_on_cpu(plan, axes, *k, 3) : cc::spread_on_cpu(plan, axes, 3);
                for (int i = 0; i < 2; ++i) {
                    Values values = std::get<Values>(runner.run(0, {}).values);
                    for (std::uint32_t& value : values) value = k ? value >= *k : value;
                    REQUIRE((values == expected));
                }
            }
        };
        check(cc::reference_labels(named.graph), std::nullopt);
        for (const std::uint32_t k : {0, 1, 3, 12}) check(kcore::reference_cores(named.graph, k), k);
    }
}

void cores(Device device) {
    using K = std::optional<std::uint32_t>;
    for (const NamedGraph& named : graphs()) {
        INFO(named.name);
        for (const K k : {K(), K(0), K(1), K(2), K(3), K(9)}) {
            INFO("k " << (k ? static_cast<int>(*k) : -1));
            const Values expected = kcore::reference_cores(named.graph, k);
            in_both_orders(named.graph, false, [&](const Undirected& plan) {
                for (const Peeling peeling : {Peeling::push, Peeling::pull, Peeling::local}) {
                    for (const int threads : {1, 2, 5}) {
                        if (device == Device::cuda && threads > 1) continue;
                        same_again(runner_on(
                                       device, [&] { return cores_on_cpu(plan, peeling, k, threads); },
                                       [&] { return cores_on_cuda(plan, peeling, k); }),
                                   expected, 2);
                    }
                }
            });
        }
    }
}

void independent_sets(Device device) {
    for (const NamedGraph& named : graphs()) {
        INFO(named.name);
        for (const Priority priority : {Priority{true, 1}, Priority{false, 1}, Priority{false, 77}}) {
            INFO("by degree " << priority.by_degree << ", seed " << priority.seed);
            const Values expected = mis::reference_set(named.graph, priority);
            in_both_orders(named.graph, false, [&](const Undirected& plan) {
                for (const Deciding deciding : {Deciding::rounds, Deciding::at_once}) {
                    for (const int threads : {1, 2, 5}) {
                        if (device == Device::cuda && threads > 1) continue;
                        same_again(runner_on(
                                       device, [&] { return independent_on_cpu(plan, priority, threads); },
                                       [&] { return independent_on_cuda(plan, priority, deciding); }),
                                   expected, 3);
                    }
                }
            });
        }
    }
}

/// Without weights, with few and many different ones, and with negative ones.
std::vector<NamedGraph> weighted_graphs_of_all_kinds() {
    std::vector<NamedGraph> all;
    for (const Weights weights : {Weights::none, Weights::whole, Weights::zeros, Weights::real}) {
        for (NamedGraph& named : graphs()) {
            if (named.graph.rows > 100000 && weights != Weights::whole) continue;
            named.name += ", weights " + std::to_string(static_cast<int>(weights));
            weigh(named.graph, weights);
            if (weights == Weights::real) {
                for (float& weight : named.graph.value) weight = weight < 50 ? -weight : weight;
            }
            all.push_back(std::move(named));
        }
    }
    return all;
}

void forests(Device device) {
    for (const NamedGraph& named : weighted_graphs_of_all_kinds()) {
        INFO(named.name);
        const Values expected = mst::reference_edges(named.graph);
        const Undirected plan = make_undirected(named.graph, true);
        for (const Picking picking : {Picking::all, Picking::filtered}) {
            for (const int threads : {1, 2, 5}) {
                if (device == Device::cuda && threads > 1) continue;
                same_again(runner_on(
                               device, [&] { return forest_on_cpu(plan, threads); },
                               [&] { return forest_on_cuda(plan, picking); }),
                           expected, 3);
            }
        }
    }
}

/// 100 times: one value that is another one than before.
void finds_every_fault(const Values& values, const std::function<std::string(const Values&)>& problem) {
    CHECK(problem(values) == "");
    std::mt19937 random(7);
    int found = 0;
    for (int i = 0; i < 100; ++i) {
        Values planted = values;
        std::uint32_t& value = planted[random() % values.size()];
        const std::uint32_t before = value;
        value = i % 4 == 0            ? value + 1
                : i % 4 == 1 && value ? value - 1
                : i % 4 == 2          ? 0
                                      : values[random() % values.size()];
        if (value == before) value = before ? 0 : 1;
        found += !problem(planted).empty();
    }
    CHECK(found == 100);
}

/// Graphs in which a fault can be planted.
std::vector<NamedGraph> graphs_for_faults() {
    std::vector<NamedGraph> all = graphs();
    std::erase_if(all, [](const NamedGraph& g) { return g.graph.rows < 20 || g.graph.rows > 10000; });
    return all;
}

}  // namespace

TEST_CASE("components on the CPU are those of the reference", "[cc]") { components(Device::cpu); }
TEST_CASE("core numbers and cores on the CPU are those of the reference", "[kcore]") { cores(Device::cpu); }

TEST_CASE("independent sets on the CPU are the first ones of their order", "[mis]") {
    independent_sets(Device::cpu);
}

TEST_CASE("spanning forests on the CPU are those of the reference", "[mst]") { forests(Device::cpu); }

TEST_CASE("components and cores by active vertices on the CPU are those of the reference", "[cc][kcore]") {
    by_active_vertices(Device::cpu);
}
TEST_CASE("components and cores by active vertices on a GPU are those of the reference, whatever the axes",
          "[cc][kcore]") {
    if (gpu_or_skip()) by_active_vertices(Device::cuda);
}

TEST_CASE("components on a GPU are those of the reference", "[cc]") {
    if (gpu_or_skip()) components(Device::cuda);
}
TEST_CASE("core numbers and cores on a GPU are those of the reference", "[kcore]") {
    if (gpu_or_skip()) cores(Device::cuda);
}

TEST_CASE("independent sets on a GPU are the first ones of their order", "[mis]") {
    if (gpu_or_skip()) independent_sets(Device::cuda);
}

TEST_CASE("spanning forests on a GPU are those of the reference", "[mst]") {
    if (gpu_or_skip()) forests(Device::cuda);
}

TEST_CASE("the checkers of structures find 100 of 100 planted faults", "[cc][kcore][mis]") {
    for (const NamedGraph& named : graphs_for_faults()) {
        INFO(named.name);
        const Graph& graph = named.graph;
        finds_every_fault(cc::reference_labels(graph),
                          [&](const Values& v) { return cc::problem_of_labels(graph, v); });
        for (const Priority priority : {Priority{true, 1}, Priority{false, 5}})
            finds_every_fault(mis::reference_set(graph, priority),
                              [&](const Values& v) { return mis::problem_of_set(graph, priority, v); });
        using K = std::optional<std::uint32_t>;
        for (const K k : {K(), K(1), K(3)})
            finds_every_fault(kcore::reference_cores(graph, k),
                              [&](const Values& v) { return kcore::problem_of_cores(graph, k, v); });
    }
}

TEST_CASE("the checker of spanning forests finds every planted fault", "[mst]") {
    constexpr int planted_faults = 12;  // in each of many graphs
    std::mt19937 random(11);
    for (const NamedGraph& named : weighted_graphs_of_all_kinds()) {
        const Graph& graph = named.graph;
        if (graph.rows < 20 || graph.rows > 10000 || graph.edges() == 0) continue;
        INFO(named.name);
        const mst::Forest forest = mst::forest_of(graph, mst::reference_edges(graph));
        CHECK(mst::problem_of_forest(graph, forest) == "");
        int found = 0;
        for (int i = 0; i < planted_faults; ++i) {
            mst::Forest planted = forest;
            VertexId v = random() % graph.rows;
            while (i % 4 && forest.parents[v] == mst::root) v = random() % graph.rows;
            VertexId& parent = planted.parents[v];
            if (i % 4 == 0)
                parent = parent == mst::root ? (v + 1) % graph.rows : mst::root;
            else if (i % 4 == 1)
                planted.weights[v] += 1;
            else if (i % 4 == 2)
                parent = (parent + 1 + random() % (graph.rows - 1)) % graph.rows;
            else
                parent = v;
            found += !mst::problem_of_forest(graph, planted).empty();
        }
        CHECK(found == planted_faults);
    }
}

TEST_CASE("a forest of another edge of the same weight, or of a heavier one, is not the forest", "[mst]") {
    Graph graph = square_graph(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}, true);
    for (EdgeId e = 0; e < graph.edges(); ++e) graph.value.push_back(2);
    CHECK((mst::reference_edges(graph) == Values{0, 1, 0, 3, 1, 2}));
    CHECK(mst::problem_of_forest(graph, mst::forest_of(graph, {0, 1, 0, 3, 1, 2})).empty());
    CHECK_THAT(mst::problem_of_forest(graph, mst::forest_of(graph, {0, 1, 1, 2, 2, 3})),
               Catch::Contains("comes before"));
    CHECK_THAT(mst::problem_of_forest(graph, mst::forest_of(graph, {0, 1, 2, 3})),
               Catch::Contains("comes before"));
    CHECK_THROWS_WITH(mst::forest_of(graph, {0, 1, 0, 3, 1, 2, 2, 3}), Catch::Contains("circle"));
}

TEST_CASE("an exact sum is so, whatever cancels out, and is rounded once", "[mst]") {
    CHECK(exact_sum(std::vector<float>()) == 0);
    CHECK(exact_sum(std::vector<float>{1e30F, 1, -1e30F}) == 1);
    CHECK(exact_sum(std::vector<float>(1000, 0.1F)) == 1000 * static_cast<double>(0.1F));
    CHECK(exact_sum(std::vector<float>{16777216.0F, 1, 1, 1e-45F, -1e-45F, -0.0F}) == 16777218);
    // 2^53 + 1 lies between two doubles; a bit more, and the upper one is nearer.
    CHECK(exact_sum(std::vector<float>{9007199254740992.0F, 1}) == 9007199254740992.0);
    CHECK(exact_sum(std::vector<float>{9007199254740992.0F, 1, 1e-45F}) == 9007199254740994.0);
    CHECK(exact_sum(std::vector<float>{-9007199254740992.0F, -1, -1e-45F}) == -9007199254740994.0);
}

TEST_CASE("two components under one label, and one under two, are no components", "[cc]") {
    const Graph graph = square_graph(5, {{0, 1}, {2, 3}, {3, 4}}, true);
    CHECK(cc::problem_of_labels(graph, {0, 0, 2, 2, 2}).empty());
    CHECK_THAT(cc::problem_of_labels(graph, {0, 0, 0, 0, 0}), Catch::Contains("1 labels, but 2 components"));
    CHECK_THAT(cc::problem_of_labels(graph, {0, 0, 2, 2, 4}), Catch::Contains("are joined"));
    CHECK_THAT(cc::problem_of_labels(graph, {0, 0, 3, 3, 3}), Catch::Contains("not the smallest"));
    CHECK_THAT(cc::problem_of_labels(graph, {0, 0}), Catch::Contains("2 labels for 5 vertices"));
}

TEST_CASE("an undirected graph has every neighbour once, at both ends, the lightest arc of several",
          "[structure]") {
    Graph graph = square_graph(4, {{0, 1}, {0, 1}, {1, 0}, {2, 2}, {2, 0}});
    graph.value = {5, 4, 3, 1, -0.0F};  // by row: 0-1, 0-1, 1-0, 2-0, 2-2
    std::swap(graph.value[3], graph.value[4]);
    const Undirected plan = make_undirected(graph, true);
    CHECK(plan.largest == 2);
    CHECK((plan.ends == Array<VertexId>{1, 2, 0, 0}));
    CHECK((plan.weights == Array<float>{3, 0, 3, 0}));
    CHECK_THROWS_WITH(make_undirected(paper_graph(), false), Catch::Contains("--shape square"));
}
