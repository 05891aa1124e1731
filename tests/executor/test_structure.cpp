// Tests of the structure of graphs: every variant gives the results of a serial reference on every graph and
// device, and checkers find planted faults.
#include <random>

#include "apps/cc.hpp"
#include "apps/kcore.hpp"
#include "apps/mis.hpp"
#include "executor_support.hpp"
#include "lockstep/executor/structure/components.hpp"
#include "lockstep/executor/structure/cores.hpp"
#include "lockstep/executor/structure/independent.hpp"
#include "structure_support.hpp"

using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::structure;

namespace {

/// Calls run(plan) for the graph in its own order, and in the order of degrees.
void in_both_orders(const Graph& graph, const std::function<void(const Undirected&)>& run) {
    run(make_undirected(graph, false));
    run(make_undirected(graph, false, build_degree(graph).row_order));
}

void components(Device device) {
    for (const NamedGraph& named : structure_graphs()) {
        INFO(named.name);
        const Values expected = cc::compute_reference(named.graph);
        in_both_orders(named.graph, [&](const Undirected& plan) {
            always_gives(
                expected, 3, device, {ComponentMethod::sampled, ComponentMethod::soman},
                [&](int threads) { return components_on_cpu(plan, threads); },
                [&](ComponentMethod joining) { return components_on_cuda(plan, joining); });
            axes_give(expected, device, [&](const RoundAxes& axes) {
                return components_on_cuda(plan, ComponentMethod::soman, axes);
            });
        });
    }
}

/// Tests labels that spread and degrees that fall, by rounds over active vertices, with all axes.
void by_active_vertices(Device device) {
    std::vector<std::string> ways{"--direction push", "--direction pull", "--direction adaptive:0.1"};
    for (const char* balance : {"serial", "sub-warp:4", "warp", "fine+warp+block --small 4 --large 64"}) {
        for (const char* rest :
             {"--active scan --filter none", "--active marks --filter none --loop all",
              "--filter append --append block --loop outlined --defer 40", "--filter batch",
              "--filter online --loop fused", "--filter ballot --loop all", "--filter strided --chunk 300",
              "--filter jit:2 --loop fused", "--filter jit:2 --direction adaptive:0.1 --loop all"}) {
            if (device == Device::cuda) ways.push_back("--balance " + std::string(balance) + " " + rest);
        }
    }
    for (const char* rest : {"--filter append --loop host", "--filter online --loop all",
                             "--filter ballot --loop host", "--filter strided --direction pull --loop fused",
                             "--filter jit:2 --direction adaptive:0.1 --loop all",
                             "--filter append --direction pull --combine atomics --loop host"}) {
        if (device == Device::cuda)
            ways.push_back("--active lists --balance serial+warp+block --small 4 --large 64 " +
                           std::string(rest));
    }
    for (const NamedGraph& named : structure_graphs()) {
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
                frontier::Runner runner;
#if defined(LOCKSTEP_HAS_CUDA)
                if (device == Device::cuda)
                    runner = k ? cuda_runner_of(plan, axes, kcore::Degrees{*k})
                               : cuda_runner_of(plan, axes, cc::Labels());
#endif
                if (device == Device::cpu)
                    runner = k ? cpu_runner_of(plan, axes, kcore::Degrees{*k}, 3)
                               : cpu_runner_of(plan, axes, cc::Labels(), 3);
                for (int i = 0; i < 2; ++i) {
                    Values values = std::get<Values>(runner.run(0, {}).values);
                    for (std::uint32_t& value : values) value = k ? value >= *k : value;
                    REQUIRE((values == expected));
                }
            }
        };
        check(cc::compute_reference(named.graph), std::nullopt);
        for (const std::uint32_t k : {0, 1, 3, 12}) check(kcore::compute_reference(named.graph, k), k);
    }
}

/// Returns a grid: waves begin at its corners, or all vertices are active at first, which is more than the
/// queues of all blocks hold.
NamedGraph grid(VertexId side) {
    std::vector<std::pair<VertexId, VertexId>> arcs;
    for (VertexId v = 0; v < side * side; ++v) {
        if (v % side + 1 < side) arcs.emplace_back(v, v + 1);
        if (v + side < side * side) arcs.emplace_back(v, v + side);
    }
    return {"a grid", square_graph(side * side, arcs, true)};
}

void cores(Device device) {
    using K = std::optional<std::uint32_t>;
    std::vector<NamedGraph> all = structure_graphs();
    if (device == Device::cuda) all.push_back(grid(550));
    for (const NamedGraph& named : all) {
        INFO(named.name);
        for (const K k : {K(), K(0), K(1), K(2), K(3), K(9)}) {
            INFO("k " << (k ? static_cast<int>(*k) : -1));
            const Values expected = kcore::compute_reference(named.graph, k);
            in_both_orders(named.graph, [&](const Undirected& plan) {
                always_gives(
                    expected, 2, device, {CoreMethod::push, CoreMethod::pull, CoreMethod::local},
                    [&](int threads) { return cores_on_cpu(plan, k, threads); },
                    [&](CoreMethod peeling) { return cores_on_cuda(plan, peeling, k); });
            });
        }
    }
}

void independent_sets(Device device) {
    for (const NamedGraph& named : structure_graphs()) {
        INFO(named.name);
        for (const Priority priority : {Priority{true, 1}, Priority{false, 1}, Priority{false, 77}}) {
            INFO("by degree " << priority.by_degree << ", seed " << priority.seed);
            const Values expected = mis::compute_reference(named.graph, priority);
            in_both_orders(named.graph, [&](const Undirected& plan) {
                always_gives(
                    expected, 3, device, {IndependentSetMethod::rounds, IndependentSetMethod::at_once},
                    [&](int threads) { return independent_on_cpu(plan, priority, threads); },
                    [&](IndependentSetMethod deciding) {
                        return independent_on_cuda(plan, priority, deciding);
                    });
                axes_give(expected, device, [&](const RoundAxes& axes) {
                    return independent_on_cuda(plan, priority, IndependentSetMethod::rounds, axes);
                });
            });
        }
    }
}

/// Plants faults in `values`: each changes one value. Requires that `problem` finds all of them.
void finds_every_fault(const Values& values, const std::function<std::string(const Values&)>& problem) {
    CHECK(problem(values) == "");
    constexpr int faults = 24;
    std::mt19937 random(7);
    int found = 0;
    for (int i = 0; i < faults; ++i) {
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
    CHECK(found == faults);
}

/// Returns the graphs in which a fault can be planted.
std::vector<NamedGraph> graphs_for_faults() {
    std::vector<NamedGraph> all = structure_graphs();
    std::erase_if(all, [](const NamedGraph& g) { return g.graph.rows < 20 || g.graph.rows > 10000; });
    return all;
}

}  // namespace

TEST_CASE("components on the CPU are those of the reference", "[cc]") { components(Device::cpu); }
TEST_CASE("core numbers and cores on the CPU are those of the reference", "[kcore]") { cores(Device::cpu); }

TEST_CASE("independent sets on the CPU are the first ones of their order", "[mis]") {
    independent_sets(Device::cpu);
}

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

TEST_CASE("the checkers of structures find every planted fault", "[cc][kcore][mis]") {
    for (const NamedGraph& named : graphs_for_faults()) {
        INFO(named.name);
        const Graph& graph = named.graph;
        finds_every_fault(cc::compute_reference(graph),
                          [&](const Values& v) { return cc::find_problem(graph, v); });
        for (const Priority priority : {Priority{true, 1}, Priority{false, 5}})
            finds_every_fault(mis::compute_reference(graph, priority),
                              [&](const Values& v) { return mis::find_problem(graph, priority, v); });
        using K = std::optional<std::uint32_t>;
        for (const K k : {K(), K(1), K(3)})
            finds_every_fault(kcore::compute_reference(graph, k),
                              [&](const Values& v) { return kcore::find_problem(graph, k, v); });
    }
}

TEST_CASE("two components under one label, and one under two, are no components", "[cc]") {
    const Graph graph = square_graph(5, {{0, 1}, {2, 3}, {3, 4}}, true);
    CHECK(cc::find_problem(graph, {0, 0, 2, 2, 2}).empty());
    CHECK_THAT(cc::find_problem(graph, {0, 0, 0, 0, 0}), Catch::Contains("1 labels, but 2 components"));
    CHECK_THAT(cc::find_problem(graph, {0, 0, 2, 2, 4}), Catch::Contains("are connected"));
    CHECK_THAT(cc::find_problem(graph, {0, 0, 3, 3, 3}), Catch::Contains("not the smallest"));
    CHECK_THAT(cc::find_problem(graph, {0, 0}), Catch::Contains("2 labels for 5 vertices"));
}

TEST_CASE("an undirected graph has every neighbour once, at both ends, the lightest arc of several",
          "[structure]") {
    Graph graph = square_graph(4, {{0, 1}, {0, 1}, {1, 0}, {2, 2}, {2, 0}});
    graph.value = {5, 4, 3, 1, -0.0F};  // the weights in the order of rows: 0-1, 0-1, 1-0, 2-0, 2-2
    std::swap(graph.value[3], graph.value[4]);
    const Undirected plan = make_undirected(graph, true);
    CHECK(plan.largest == 2);
    CHECK((plan.ends == Array<VertexId>{1, 2, 0, 0}));
    CHECK((plan.weights == Array<float>{3, 0, 3, 0}));
    CHECK_THROWS_WITH(make_undirected(paper_graph(), false), Catch::Contains("--shape square"));
}
