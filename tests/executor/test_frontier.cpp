// Tests of operators over active vertices: every preset and many combinations of the axes give the results of
// a serial reference, from several sources and on every device.
#include <algorithm>
#include <functional>

#include "apps/bfs.hpp"
#include "apps/device.hpp"
#include "apps/sssp.hpp"
#include "catch.hpp"
#include "executor_support.hpp"
#include "support.hpp"
#include "weighted_graphs.hpp"

using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::frontier;

namespace {

Axes axes_of(const std::string& text, bool by_priority) {
    Axes axes;
    set_axes(axes, text);
    if (!by_priority) axes.priority = Priority::none;
    return axes;
}

/// Returns the axes of every preset, and further combinations.
std::vector<std::string> combinations() {
    std::vector<std::string> all;
    for (const Strategy& s : strategies("frontier")) {
        if (s.axes) all.emplace_back(s.axes);
    }
    for (const char* direction : {"push", "pull", "adaptive:0.02"}) {
        for (const char* balance :
             {"serial", "sub-warp:2", "sub-warp:16", "warp", "block", "fine", "serial+warp", "fine+block",
              "warp+block", "sub-warp:4+warp+block", "fine+warp+block --small 4 --large 64"}) {
            for (const char* rest :
                 {"--active scan --filter none --loop host", "--active marks --filter none --loop all",
                  "--filter append --append warp --loop host --defer 40",
                  "--filter append --append block --loop fused --defer 16",
                  "--filter batch --append block --loop all --defer 700", "--filter online --loop host",
                  "--filter ballot --loop fused --chunk 300", "--filter strided --loop all",
                  "--filter jit:2 --loop fused --defer 16", "--filter jit:2 --loop host --defer 16"})
                all.push_back("--direction " + std::string(direction) + " --balance " + balance + " " + rest);
        }
        for (const char* balance : {"serial+warp+block", "sub-warp:4+warp+block --small 4 --large 64"}) {
            for (const char* rest :
                 {"--filter append --append warp --loop host", "--filter append --loop all --defer 100",
                  "--filter batch --loop fused", "--filter online --loop host", "--filter online --loop all",
                  "--filter ballot --loop host", "--filter strided --loop all",
                  "--filter jit:2 --loop fused --chunk 64", "--filter jit:2 --loop host --defer 16"})
                all.push_back("--active lists --direction " + std::string(direction) + " --balance " +
                              balance + " " + rest);
        }
    }
    for (const char* balance : {"serial", "sub-warp:8", "warp", "block", "serial+warp+block"})
        all.push_back("--direction pull --combine atomics --balance " + std::string(balance));
    return all;
}

template <class Op>
Runner runner_on(Device device, const FrontierPlan& plan, const Axes& axes, int threads) {
#if defined(LOCKSTEP_HAS_CUDA)
    if (device == Device::cuda) return on_cuda(plan, axes, Op());
#endif
    static_cast<void>(device);
    return on_cpu(plan, axes, Op(), threads);
}

FrontierPlan plan_of(const Graph& graph, const Schedule* order = nullptr) {
    return make_frontier_plan(graph, find_strategy("best", "frontier"), order, {true, true});
}

std::vector<VertexId> sources_of(const Graph& graph) {
    std::vector<VertexId> sources{0};
    if (graph.rows > 100000) return sources;
    if (graph.rows > 2) sources.push_back(graph.rows / 2);
    if (graph.rows > 1) sources.push_back(graph.rows - 1);
    return sources;
}

template <class Op, class Reference>
void every_way(const Graph& graph, Device device, const std::vector<std::string>& ways, Reference reference) {
    const Schedule degree = build_degree(graph);
    for (const bool sorted : {false, true}) {
        const FrontierPlan plan = plan_of(graph, sorted ? &degree : nullptr);
        for (const VertexId source : sources_of(graph)) {
            if (device == Device::cuda && source == graph.rows - 1 && source > 1) continue;
            const Values expected = reference(source);
            for (std::size_t i = sorted ? 7 : 0; i < ways.size(); i += sorted ? 10 : 1) {
                const Axes axes = axes_of(ways[i], Op::by_priority);
                REQUIRE(why_not(axes, Op::by_priority).empty());
                INFO(ways[i] << ", from " << source << (sorted ? ", by degree" : ""));
                const Runner runner = runner_on<Op>(device, plan, axes, 1 + static_cast<int>(i % 3));
                REQUIRE((runner.run(source, {}).values == expected));
                if (i % 4 == 0)
                    REQUIRE((runner.run(source, {}).values == expected));  // the runner uses its memory again
            }
        }
    }
}

/// Tests all combinations on the graphs with degrees of all kinds, and some of them on the other graphs.
template <class Op, class Reference>
void on_a_gpu(Weights weights, Reference reference) {
    const std::vector<std::string> all = combinations();
    std::size_t number = 0;
    for (const NamedGraph& named : graphs(weights)) {
        INFO(named.name << ", weights " << static_cast<int>(weights));
        const bool whole = named.name.starts_with("hubs") || named.name.starts_with("skewed");
        std::vector<std::string> ways;
        const std::size_t step = whole ? 3 : 14;  // each graph has another part of the combinations
        for (std::size_t i = number++ % step; i < all.size(); i += step) ways.push_back(all[i]);
        every_way<Op>(named.graph, Device::cuda, ways,
                      [&](VertexId source) { return Values(reference(named.graph, source)); });
    }
}

/// The combinations for the CPU, on which only direction and priority matter.
const std::vector<std::string> cpu_ways{"--direction push",
                                        "--direction pull",
                                        "--direction adaptive:0.3",
                                        "--direction adaptive:0.02",
                                        "--priority near-far",
                                        "--priority delta --delta 1",
                                        "--priority delta --delta 40",
                                        "--priority delta --delta 1e-6",
                                        "--priority delta --delta 1e9"};

std::vector<std::string> without(const char* words, std::vector<std::string> ways) {
    std::erase_if(ways, [&](const std::string& way) { return way.find(words) != std::string::npos; });
    return ways;
}

}  // namespace

TEST_CASE("BFS on the CPU: every direction gives the levels of the reference") {
    for (const NamedGraph& named : graphs(Weights::none)) {
        INFO(named.name);
        every_way<bfs::Levels>(named.graph, Device::cpu, without("priority", cpu_ways), [&](VertexId source) {
            return Values(bfs::compute_reference(named.graph, source));
        });
    }
}

TEST_CASE("SSSP on the CPU: rounds and buckets give the distances of the reference") {
    for (const Weights weights : {Weights::none, Weights::whole, Weights::zeros, Weights::real}) {
        for (const NamedGraph& named : graphs(weights)) {
            INFO(named.name << ", weights " << static_cast<int>(weights));
            const auto reference = [&](VertexId source) {
                return sssp::compute_reference(named.graph, source);
            };
            // One bucket per distance takes long on a larger graph.
            const auto ways = named.graph.rows > 1000 ? without("1e-6", cpu_ways) : cpu_ways;
            if (sssp::classify_weights(named.graph).whole)
                every_way<sssp::Distances<std::uint32_t>>(named.graph, Device::cpu, ways, reference);
            else
                every_way<sssp::Distances<float>>(named.graph, Device::cpu, ways, reference);
        }
    }
}

TEST_CASE("BFS on a GPU: presets and 330 further combinations give the levels of the reference") {
    if (!gpu_or_skip()) return;
    on_a_gpu<bfs::Levels>(Weights::none, [](const Graph& graph, VertexId source) {
        return Values(bfs::compute_reference(graph, source));
    });
}

TEST_CASE("SSSP on a GPU: presets and 330 further combinations give the distances of the reference") {
    if (!gpu_or_skip()) return;
    for (const Weights weights : {Weights::whole, Weights::zeros})
        on_a_gpu<sssp::Distances<std::uint32_t>>(weights, sssp::compute_reference);
    on_a_gpu<sssp::Distances<float>>(Weights::real, [](const Graph& graph, VertexId source) {
        auto distances = sssp::compute_reference(graph, source);
        // A graph without arcs has whole distances.
        if (const auto* whole = std::get_if<std::vector<std::uint32_t>>(&distances)) {
            std::vector<float> real(whole->begin(), whole->end());
            for (float& d : real) d = d > 0 ? sssp::Distances<float>::none() : 0;
            return Values(real);
        }
        return distances;
    });
}

TEST_CASE("20 repeats on a GPU give one result, and exact lists count the same vertices") {
    if (!gpu_or_skip()) return;
    Graph graph = square_battery(true)[11].graph;
    weigh(graph, Weights::whole);
    const FrontierPlan plan = plan_of(graph);
    for (const std::string& way : combinations()) {
        if (way.size() % 9) continue;
        INFO(way);
        const Runner runner =
            runner_on<sssp::Distances<std::uint32_t>>(Device::cuda, plan, axes_of(way, true), 1);
        const Traversal first = runner.run(7, {});
        for (int i = 1; i < 20; ++i) REQUIRE((runner.run(7, {}).values == first.values));
    }
    // Every variant finds the levels of BFS in the same rounds, whatever makes the lists; bins may have a
    // vertex twice.
    const FrontierPlan unweighted = plan_of(square_battery(true)[11].graph);
    std::vector<EdgeId> expected;
    for (const std::string& way : combinations()) {
        if (way.find("direction") != std::string::npos && way.find("push") == std::string::npos) continue;
        INFO(way);
        const Traversal t =
            runner_on<bfs::Levels>(Device::cuda, unweighted, axes_of(way, false), 1).run(7, {});
        std::vector<EdgeId> active;
        for (const Round& round : t.rounds) active.push_back(round.active);
        if (expected.empty()) expected = active;
        if (way.find("online") == std::string::npos && way.find("jit") == std::string::npos) {
            CHECK(active == expected);
        } else {
            CHECK(std::ranges::equal(active, expected, std::greater_equal<>()));
        }
        CHECK(t.totals.launches >= 2);
        CHECK(t.totals.registers > 8);
    }
}

TEST_CASE("far piles are appended on a GPU by whom the option says, as lists are") {
    if (!gpu_or_skip()) return;
    std::vector<std::pair<VertexId, VertexId>> arcs;
    for (VertexId v = 0; v < 40'000; ++v) {
        for (VertexId i = 1; i <= 8; ++i) arcs.emplace_back(v, (v * 17 + i * i * 4'799) % 40'000);
    }
    Graph graph = square_graph(40'000, arcs);
    weigh(graph, Weights::whole);
    const FrontierPlan plan = plan_of(graph);
    const auto run = [&](const std::string& append) {
        const Axes axes = axes_of("--priority near-far --append " + append, true);
        return runner_on<sssp::Distances<std::uint32_t>>(Device::cuda, plan, axes, 1).run(7, {});
    };
    const Traversal thread = run("thread"), warp = run("warp"), block = run("block");
    CHECK((warp.values == thread.values && block.values == thread.values));
    CHECK(thread.totals.worklist_atomics > 40'000);
    CHECK(warp.totals.worklist_atomics < thread.totals.worklist_atomics);
    CHECK(block.totals.worklist_atomics < thread.totals.worklist_atomics / 2);
}

TEST_CASE("a weighted operator is refused on a plan without the graph's weights") {
    Graph graph = square_graph(3, {{0, 1}, {1, 2}});
    const Strategy& best = find_strategy("best", "frontier");
    const auto distances = [&](const PlanRequirements& wanted) {
        const FrontierPlan plan = make_frontier_plan(graph, best, nullptr, wanted);
        return std::get<std::vector<float>>(on_cpu(plan, {}, sssp::Distances<float>(), 1).run(0, {}).values);
    };
    CHECK(distances({}) == std::vector<float>{0, 1, 2});  // the graph has no weights
    graph.value = {5, 7};
    CHECK_THROWS_WITH(distances({}), Catch::Contains("made without the weights"));
    CHECK(distances({.weights = true}) == std::vector<float>{0, 5, 12});
    CHECK_NOTHROW(on_cpu(make_frontier_plan(graph, best, nullptr, {}), {}, bfs::Levels(), 1));
}

TEST_CASE("sums that do not fit stay below what nothing reaches") {
    Graph graph = square_graph(600, [] {
        std::vector<std::pair<VertexId, VertexId>> path;
        for (VertexId i = 0; i + 1 < 600; ++i) path.emplace_back(i, i + 1);
        return path;
    }());
    graph.value.assign(graph.edges(), 16777215.0F);
    using Op = sssp::Distances<std::uint32_t>;
    for (const std::string& way : cpu_ways) {
        const FrontierPlan plan = plan_of(graph);
        const auto values = std::get<std::vector<std::uint32_t>>(
            runner_on<Op>(Device::cpu, plan, axes_of(way, true), 2).run(0, {}).values);
        CHECK(values[200] == 200 * 16777215U);
        CHECK(values[599] == Op::most);
    }
}

TEST_CASE("axes read back as they are written, and refuse what makes no sense") {
    for (const std::string& way : combinations()) {
        const Axes axes = axes_of(way, true);
        INFO(way);
        CHECK(why_not(axes, true).empty());
        Axes again;
        set_axes(again, to_string(axes));
        CHECK(to_string(again) == to_string(axes));
    }
    const auto refused = [](const std::string& way, bool by_priority, const char* words) {
        INFO(way);
        CHECK_THAT(why_not(axes_of(way, true), by_priority), Catch::Contains(words));
    };
    refused("--filter none", true, "needs a filter");
    refused("--active scan --filter jit", true, "does not read");
    refused("--active marks --filter append", true, "does not read");
    refused("--loop outlined --direction adaptive", true, "a single direction");
    refused("--active lists --filter append --balance fine+warp+block", true, "one list per degree class");
    refused("--active lists --filter append --balance serial+warp+block --append block", true, "one list");
    refused("--combine atomics", true, "applies only to pull");
    refused("--balance warp+block --small 9 --large 8", true, "larger than");
    refused("--priority delta", false, "sssp");
    refused("--priority delta --active scan --filter none", true, "--active list");
    const auto wrong = [](const char* option, const char* value) {
        Axes axes;
        INFO(option << " " << value);
        CHECK_THROWS_WITH(set_axis(axes, option, value),
                          Catch::Contains("must be") && Catch::Contains(value));
    };
    for (const char* value : {"", "warps", "warp+warp", "serial+fine", "sub-warp:3", "warp:4", "sub-warp:x"})
        wrong("balance", value);
    for (const char* value : {"down", "push:0.3", "adaptive:2", "adaptive:-1", "adaptive:x"})
        wrong("direction", value);
    for (const char* value : {"jit:0", "jit:x", "ballot:3"}) wrong("filter", value);
    wrong("chunk", "-1");
    wrong("delta", "nan");
}

TEST_CASE("a traversal needs a square graph") {
    CHECK_THROWS_WITH(plan_of(paper_graph()), Catch::Contains("--shape square"));
}
