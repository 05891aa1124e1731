// Operators over active vertices: every preset and many combinations of the axes, from several sources, give
// what a serial reference gives, on every device; checkers find planted faults.
#include <random>

#include "apps/bfs/operator.hpp"
#include "apps/bfs/reference.hpp"
#include "apps/device.hpp"
#include "apps/sssp/operator.hpp"
#include "apps/sssp/reference.hpp"
#include "catch.hpp"
#include "executor_support.hpp"
#include "square_graphs.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::frontier;

namespace {

enum class Weights { none, whole, zeros, real };

/// Weights by the two ends, the same for both directions of an edge; those of repeated arcs differ.
void weigh(Graph& graph, Weights weights) {
    if (weights == Weights::none) return;
    const Array<VertexId> row = edge_rows(graph);
    graph.value.resize(graph.edges());
    EdgeId repeated = 0;
    for (EdgeId e = 0; e < graph.edges(); ++e) {
        repeated = e && row[e] == row[e - 1] && graph.col[e] == graph.col[e - 1] ? repeated + 1 : 0;
        const auto [low, high] = std::minmax(row[e], graph.col[e]);
        const std::uint32_t mixed =
            ((low * 2654435761U) ^ (high * 2246822519U + 374761393U * std::uint32_t(repeated))) >> 8;
        graph.value[e] = weights == Weights::whole   ? 1.0F + static_cast<float>(mixed % 255)
                         : weights == Weights::zeros ? static_cast<float>(mixed % 4)
                                                     : static_cast<float>(mixed % 100000) * 0.001F;
    }
}

std::vector<NamedGraph> graphs(Weights weights) {
    std::vector<NamedGraph> all = square_battery(false);
    for (NamedGraph& undirected : square_battery(true)) {
        undirected.name += ", undirected";
        all.push_back(std::move(undirected));
    }
    std::erase_if(all, [&](const NamedGraph& g) {
        return g.graph.rows == 0 ||
               (g.graph.rows > 100000 && weights != Weights::none && weights != Weights::real);
    });
    for (NamedGraph& g : all) weigh(g.graph, weights);
    return all;
}

Axes axes_of(const std::string& text, bool by_priority) {
    Axes axes;
    set_axes(axes, text);
    if (!by_priority) axes.priority = Priority::none;
    return axes;
}

/// Every preset, and further combinations.
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
                 {"--active scan --filter none --loop host", "--active bitmap --filter none --loop all",
                  "--filter append --append warp --loop host --defer 40",
                  "--filter append --append block --loop fused --defer 16",
                  "--filter batch --append block --loop all --defer 700", "--filter online --loop host",
                  "--filter ballot --loop fused --chunk 300", "--filter strided --loop all",
                  "--filter jit:2 --loop fused --defer 16", "--filter jit:2 --loop host --defer 16"})
                all.push_back("--direction " + std::string(direction) + " --balance " + balance + " " + rest);
        }
    }
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
    const Schedule degree = build_degree(graph, {});
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
                    REQUIRE((runner.run(source, {}).values == expected));  // its memory serves again
            }
        }
    }
}

/// All combinations on the graphs with degrees of all kinds, some of them on the others.
template <class Op, class Reference>
void on_a_gpu(Weights weights, Reference reference) {
    const std::vector<std::string> all = combinations();
    std::size_t number = 0;
    for (const NamedGraph& named : graphs(weights)) {
        INFO(named.name << ", weights " << static_cast<int>(weights));
        const bool whole = named.name.starts_with("hubs") || named.name.starts_with("skewed");
        std::vector<std::string> ways;
        const std::size_t step = whole ? 3 : 14;  // another part on each graph
        for (std::size_t i = number++ % step; i < all.size(); i += step) ways.push_back(all[i]);
        every_way<Op>(named.graph, Device::cuda, ways,
                      [&](VertexId source) { return Values(reference(named.graph, source)); });
    }
}

/// The CPU goes by direction and priority alone.
const std::vector<std::string> cpu_ways{"--direction push",
                                        "--direction pull",
                                        "--direction adaptive:0.3",
                                        "--direction adaptive:0.02",
                                        "--priority near-far",
                                        "--priority delta --delta 1",
                                        "--priority delta --delta 40",
                                        "--priority delta --delta 1e-6",
                                        "--priority delta --delta 1e9"};

std::vector<std::string> without_priority(std::vector<std::string> ways) {
    std::erase_if(ways, [](const std::string& way) { return way.find("priority") != std::string::npos; });
    return ways;
}

/// 100 times: one value that is another one than before.
template <class Value, class Problem>
void finds_every_fault(const std::vector<Value>& values, VertexId source, Value none, Problem problem) {
    CHECK(problem(values) == "");
    std::mt19937 random(7);
    int found = 0;
    for (int i = 0; i < 100; ++i) {
        std::vector<Value> planted = values;
        Value& value = planted[random() % values.size()];
        const Value before = value;
        switch (i % 4) {
            case 0:
                value = none;
                break;
            case 1:
                value = value == none ? Value{3} : value + 1;
                break;
            case 2:
                value = value == none || value < 1 ? Value{5} : value - 1;
                break;
            default:
                value = values[random() % values.size()];
                break;
        }
        if (value == before) value = value == none ? Value{1} : none;
        found += !problem(planted).empty();
    }
    CHECK(found == 100);
    static_cast<void>(source);
}

}  // namespace

TEST_CASE("BFS on the CPU: every direction gives the levels of the reference") {
    for (const NamedGraph& named : graphs(Weights::none)) {
        INFO(named.name);
        every_way<bfs::Levels>(named.graph, Device::cpu, without_priority(cpu_ways), [&](VertexId source) {
            return Values(bfs::reference_levels(named.graph, source));
        });
    }
}

TEST_CASE("SSSP on the CPU: rounds and buckets give the distances of the reference") {
    for (const Weights weights : {Weights::none, Weights::whole, Weights::zeros, Weights::real}) {
        for (const NamedGraph& named : graphs(weights)) {
            INFO(named.name << ", weights " << static_cast<int>(weights));
            const auto reference = [&](VertexId source) {
                return sssp::reference_distances(named.graph, source);
            };
            if (sssp::weights_of(named.graph).whole)
                every_way<sssp::Distances<std::uint32_t>>(named.graph, Device::cpu, cpu_ways, reference);
            else
                every_way<sssp::Distances<float>>(named.graph, Device::cpu, cpu_ways, reference);
        }
    }
}

TEST_CASE("BFS on a GPU: presets and 330 further combinations give the levels of the reference") {
    if (!gpu_or_skip()) return;
    on_a_gpu<bfs::Levels>(Weights::none, [](const Graph& graph, VertexId source) {
        return Values(bfs::reference_levels(graph, source));
    });
}

TEST_CASE("SSSP on a GPU: presets and 330 further combinations give the distances of the reference") {
    if (!gpu_or_skip()) return;
    for (const Weights weights : {Weights::whole, Weights::zeros})
        on_a_gpu<sssp::Distances<std::uint32_t>>(weights, sssp::reference_distances);
    on_a_gpu<sssp::Distances<float>>(Weights::real, [](const Graph& graph, VertexId source) {
        auto distances = sssp::reference_distances(graph, source);
        if (const auto* whole =
                std::get_if<std::vector<std::uint32_t>>(&distances)) {  // of a graph without arcs
            std::vector<float> real(whole->begin(), whole->end());
            for (float& d : real) d = d > 0 ? sssp::Distances<float>::none() : 0;
            return sssp::DistancesOf(real);
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
    // BFS's levels are met in the same rounds by every way, whatever makes the lists.
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
        CHECK(active == expected);
        CHECK(t.totals.launches >= 2);
        CHECK(t.totals.registers > 8);
    }
}

TEST_CASE("BFS and SSSP are one where there are no weights") {
    for (const NamedGraph& named : graphs(Weights::none)) {
        const auto distances = sssp::reference_distances(named.graph, 0);
        CHECK((std::get<std::vector<std::uint32_t>>(distances) == bfs::reference_levels(named.graph, 0)));
    }
}

TEST_CASE("checkers of traversals find 100 of 100 planted faults") {
    for (const NamedGraph& named : graphs(Weights::none)) {
        if (named.graph.edges() == 0 || named.graph.rows < 20 || named.graph.rows > 100000) continue;
        INFO(named.name);
        finds_every_fault(bfs::reference_levels(named.graph, 1), 1, bfs::unreached,
                          [&](const auto& levels) { return bfs::problem_of_levels(named.graph, 1, levels); });
    }
    for (const Weights weights : {Weights::whole, Weights::zeros, Weights::real}) {
        for (const NamedGraph& named : graphs(weights)) {
            if (named.graph.edges() == 0 || named.graph.rows < 20 || named.graph.rows > 100000) continue;
            INFO(named.name << ", weights " << static_cast<int>(weights));
            std::visit(
                [&]<class T>(const std::vector<T>& distances) {
                    finds_every_fault(distances, 1, sssp::Distances<T>::none(), [&](const auto& planted) {
                        return sssp::problem_of_distances(named.graph, 1, planted);
                    });
                },
                sssp::reference_distances(named.graph, 1));
        }
    }
}

TEST_CASE("a ring of weight zero that hangs in the air is no distance") {
    // 1 and 2 hold each other at a value below their true one: no arc is broken, and each has one without
    // slack.
    Graph graph = square_graph(3, {{0, 1}, {1, 2}, {2, 1}});
    graph.value = {9, 0, 0};
    CHECK(sssp::problem_of_distances(graph, 0, std::vector<std::uint32_t>{0, 9, 9}).empty());
    CHECK_THAT(sssp::problem_of_distances(graph, 0, std::vector<std::uint32_t>{0, 5, 5}),
               Catch::Contains("no path"));
}

TEST_CASE("parents are the smallest ones, paths are as long as their values say") {
    for (const NamedGraph& named : graphs(Weights::zeros)) {
        INFO(named.name);
        const Graph& graph = named.graph;
        const auto levels = bfs::reference_levels(graph, 0);
        const auto parents = bfs::smallest_parents(graph, 0, levels);
        std::vector<VertexId> expected(graph.rows, bfs::unreached);
        for (VertexId u = graph.rows; u-- > 0;) {
            for (EdgeId e = graph.row_offsets[u]; e < graph.row_offsets[u + 1]; ++e) {
                if (levels[u] != bfs::unreached && levels[graph.col[e]] == levels[u] + 1)
                    expected[graph.col[e]] = u;
            }
        }
        expected[0] = 0;
        CHECK(parents == expected);
        const auto distances = sssp::reference_distances(graph, 0);
        for (VertexId target = 0; target < graph.rows; target += 1 + graph.rows / 5) {
            const auto path = sssp::shortest_path(graph, distances, 0, target);
            const std::uint32_t distance = std::get<std::vector<std::uint32_t>>(distances)[target];
            REQUIRE(path.empty() == (distance == bfs::unreached));
            if (path.empty()) continue;
            CHECK(path.front() == 0);
            CHECK(path.back() == target);
            double length = 0;
            for (std::size_t i = 0; i + 1 < path.size(); ++i) {
                double least = 1e9;
                for (EdgeId e = graph.row_offsets[path[i]]; e < graph.row_offsets[path[i] + 1]; ++e) {
                    if (graph.col[e] == path[i + 1]) least = std::min<double>(least, graph.weight(e));
                }
                length += least;
            }
            CHECK(length == distance);
        }
    }
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
    refused("--active bitmap --filter append", true, "does not read");
    refused("--loop outlined --direction adaptive", true, "one direction");
    refused("--balance warp+block --small 9 --large 8", true, "larger than");
    refused("--priority delta", false, "sssp");
    refused("--priority delta --active scan --filter none", true, "--active list");
    const auto wrong = [](const char* option, const char* value) {
        Axes axes;
        INFO(option << " " << value);
        CHECK_THROWS_WITH(set_axis(axes, option, value), Catch::Contains("takes") && Catch::Contains(value));
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
