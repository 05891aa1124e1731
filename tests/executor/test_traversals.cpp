// Tests of the results of BFS and SSSP: the references agree, checkers find planted faults, parents and paths
// are right.
#include <random>

#include "apps/bfs.hpp"
#include "apps/sssp.hpp"
#include "catch.hpp"
#include "support.hpp"
#include "weighted_graphs.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Plants 100 faults, each of which changes one value, and requires that `problem` finds all of them.
template <class Value, class Problem>
void finds_every_fault(const std::vector<Value>& values, Value none, Problem problem) {
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
}

}  // namespace

TEST_CASE("BFS and SSSP are one where there are no weights") {
    for (const NamedGraph& named : graphs(Weights::none)) {
        const auto distances = sssp::compute_reference(named.graph, 0);
        CHECK((std::get<std::vector<std::uint32_t>>(distances) == bfs::compute_reference(named.graph, 0)));
    }
}

TEST_CASE("checkers of traversals find 100 of 100 planted faults") {
    for (const NamedGraph& named : graphs(Weights::none)) {
        if (named.graph.edges() == 0 || named.graph.rows < 20 || named.graph.rows > 100000) continue;
        INFO(named.name);
        finds_every_fault(bfs::compute_reference(named.graph, 1), bfs::unreached,
                          [&](const auto& levels) { return bfs::find_problem(named.graph, 1, levels); });
    }
    for (const Weights weights : {Weights::whole, Weights::zeros, Weights::real}) {
        for (const NamedGraph& named : graphs(weights)) {
            if (named.graph.edges() == 0 || named.graph.rows < 20 || named.graph.rows > 100000) continue;
            INFO(named.name << ", weights " << static_cast<int>(weights));
            std::visit(
                [&]<class T>(const std::vector<T>& distances) {
                    finds_every_fault(distances, sssp::Distances<T>::none(), [&](const auto& planted) {
                        return sssp::find_problem(named.graph, 1, planted);
                    });
                },
                sssp::compute_reference(named.graph, 1));
        }
    }
}

TEST_CASE("a ring of weight zero that hangs in the air is no distance") {
    // Vertices 1 and 2 support each other at a value below the true one: no arc violates the inequality, and
    // each of them has an arc without slack.
    Graph graph = square_graph(3, {{0, 1}, {1, 2}, {2, 1}});
    graph.value = {9, 0, 0};
    CHECK(sssp::find_problem(graph, 0, std::vector<std::uint32_t>{0, 9, 9}).empty());
    CHECK_THAT(sssp::find_problem(graph, 0, std::vector<std::uint32_t>{0, 5, 5}), Catch::Contains("no path"));
}

TEST_CASE("parents are the smallest ones, paths are as long as their values say") {
    for (const NamedGraph& named : graphs(Weights::zeros)) {
        INFO(named.name);
        const Graph& graph = named.graph;
        const auto levels = bfs::compute_reference(graph, 0);
        const auto parents = bfs::find_smallest_parents(graph, 0, levels);
        std::vector<VertexId> expected(graph.rows, bfs::unreached);
        for (VertexId u = graph.rows; u-- > 0;) {
            for (const EdgeId e : graph.edges_of(u)) {
                if (levels[u] != bfs::unreached && levels[graph.col[e]] == levels[u] + 1)
                    expected[graph.col[e]] = u;
            }
        }
        expected[0] = 0;
        CHECK(parents == expected);
        const auto distances = sssp::compute_reference(graph, 0);
        for (VertexId target = 0; target < graph.rows; target += 1 + graph.rows / 5) {
            const auto path = sssp::find_path(graph, 0, target, distances);
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
