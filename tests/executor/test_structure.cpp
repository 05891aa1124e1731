// The structure of graphs: every way through every graph gives what a serial reference gives, on every
// device; checkers find planted faults.
#include <random>

#include "apps/cc/reference.hpp"
#include "apps/device.hpp"
#include "apps/kcore/reference.hpp"
#include "catch.hpp"
#include "executor_support.hpp"
#include "lockstep/executor/structure/components.hpp"
#include "lockstep/executor/structure/cores.hpp"
#include "square_graphs.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::structure;

namespace {

using Values = std::vector<std::uint32_t>;

/// The battery both ways; hubs in components of their own; cores within cores; a ladder that is peeled from
/// its ends; a clique whose vertices are more than a queue on chip takes.
std::vector<NamedGraph> graphs() {
    std::vector<NamedGraph> all = square_battery(false);
    for (NamedGraph& undirected : square_battery(true)) {
        undirected.name += ", undirected";
        all.push_back(std::move(undirected));
    }
    using Arcs = std::vector<std::pair<VertexId, VertexId>>;
    Arcs stars, nested, ladder, spokes;
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

TEST_CASE("components on a GPU are those of the reference", "[cc]") {
    if (gpu_or_skip()) components(Device::cuda);
}
TEST_CASE("core numbers and cores on a GPU are those of the reference", "[kcore]") {
    if (gpu_or_skip()) cores(Device::cuda);
}

TEST_CASE("the checkers of structures find 100 of 100 planted faults", "[cc][kcore]") {
    for (const NamedGraph& named : graphs_for_faults()) {
        INFO(named.name);
        const Graph& graph = named.graph;
        finds_every_fault(cc::reference_labels(graph),
                          [&](const Values& v) { return cc::problem_of_labels(graph, v); });
        using K = std::optional<std::uint32_t>;
        for (const K k : {K(), K(1), K(3)})
            finds_every_fault(kcore::reference_cores(graph, k),
                              [&](const Values& v) { return kcore::problem_of_cores(graph, k, v); });
    }
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
