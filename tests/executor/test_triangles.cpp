// Tests of triangles: known values, every variant, verification, an independent package.
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/clustering_coefficient.hpp>
#include <random>

#include "apps/device.hpp"
#include "apps/triangles.hpp"
#include "catch.hpp"
#include "executor_support.hpp"
#include "lockstep/executor/frontier/axes.hpp"
#include "lockstep/executor/structure/triangles.hpp"
#include "square_graphs.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::structure;
using namespace lockstep::test;
using namespace lockstep::triangles;

namespace {

std::vector<std::uint64_t> counts_of(const Solution& solution) { return from_words(solution.values); }

std::vector<std::uint64_t> on_cpu(const Graph& graph, bool by_vertex, int threads = 3) {
    const Undirected plan = make_undirected(graph, false);
    return counts_of(triangles_on_cpu(plan, by_vertex, threads).run());
}

/// The counts of the reference: of each vertex, and of all vertices.
struct Expected {
    std::vector<std::uint64_t> by_vertex, all;
    explicit Expected(const Graph& graph) : by_vertex(compute_reference(graph)), all(1) {
        for (const std::uint64_t count : by_vertex) all[0] += count;
        all[0] /= 3;
    }
};

/// Returns graphs on which each part of the variants has work to do.
std::vector<NamedGraph> with_triangles() {
    std::vector<NamedGraph> graphs = square_battery(true);
    for (NamedGraph& named : square_battery(false)) {
        if (named.graph.rows < 100'000) graphs.push_back(std::move(named));
    }
    std::vector<std::pair<VertexId, VertexId>> complete, wheel, blocks;
    for (VertexId u = 0; u < 700; ++u) {
        for (VertexId v = 0; v < u; ++v) complete.emplace_back(u, v);
    }
    std::string reason;
    const VertexId rim = cuda_available(&reason) ? 200'000 : 20'000;  // only a GPU uses rows of bits
    for (VertexId v = 1; v <= rim; ++v) wheel.emplace_back(0, v), wheel.emplace_back(v, v % rim + 1);
    std::mt19937 random(3);
    for (VertexId u = 0; u < 9000; ++u) {
        for (int i = 0; i < 20; ++i) blocks.emplace_back(u, u / 60 * 60 + random() % 60);
    }
    graphs.push_back({"complete: lists longer than a table", square_graph(700, complete, true)});
    graphs.push_back({"wheel: more vertices than rows of bits, one hub", square_graph(rim + 1, wheel)});
    graphs.push_back({"blocks: more vertices than hubs, triangles at each", square_graph(9000, blocks)});
    return graphs;
}

}  // namespace

TEST_CASE("triangles that can be found by hand") {
    // The graph has four vertices that are all neighbours of each other, with arcs in one direction or both,
    // repeated arcs, and a loop.
    const Graph graph =
        square_graph(6, {{0, 1}, {2, 0}, {0, 2}, {0, 3}, {1, 2}, {1, 2}, {3, 1}, {2, 3}, {3, 3}, {3, 4}});
    CHECK(on_cpu(graph, false) == std::vector<std::uint64_t>{4});
    CHECK(on_cpu(graph, true) == std::vector<std::uint64_t>{3, 3, 3, 3, 0, 0});
    CHECK(compute_reference(graph) == std::vector<std::uint64_t>{3, 3, 3, 3, 0, 0});
    // A count of more than 2^32 triangles at a vertex does not fit in a word, so each count is two words.
    Solution solution;
    solution.values = {7, 1};
    CHECK(counts_of(solution) == std::vector<std::uint64_t>{(std::uint64_t{1} << 32) + 7});
}

TEST_CASE("the CPU finds the triangles of the reference, with any number of threads") {
    for (const NamedGraph& named : with_triangles()) {
        const Expected expected(named.graph);
        for (const int threads : {1, 3}) {
            INFO(named.name << ", threads " << threads);
            REQUIRE(on_cpu(named.graph, false, threads) == expected.all);
            REQUIRE(on_cpu(named.graph, true, threads) == expected.by_vertex);
        }
        REQUIRE(find_problem(named.graph, expected.by_vertex, true).empty());
        REQUIRE(find_problem(named.graph, expected.all, false).empty());
    }
}

TEST_CASE("triangles are those of the Boost Graph Library") {
    std::mt19937 random(11);
    for (int trial = 0; trial < 30; ++trial) {
        const auto n = static_cast<VertexId>(3 + random() % 60);
        boost::adjacency_list<boost::setS, boost::vecS, boost::undirectedS> other(n);
        std::vector<std::pair<VertexId, VertexId>> arcs;
        for (std::uint64_t i = random() % (n * 6); i > 0; --i) {
            const auto u = static_cast<VertexId>(random() % n), v = static_cast<VertexId>(random() % n);
            arcs.emplace_back(u, v);
            if (u != v) boost::add_edge(u, v, other);
        }
        std::vector<std::uint64_t> expected;
        for (VertexId v = 0; v < n; ++v) expected.push_back(boost::num_triangles_on_vertex(other, v));
        REQUIRE(on_cpu(square_graph(n, arcs), true) == expected);
    }
}

#if defined(LOCKSTEP_HAS_CUDA)
TEST_CASE("every way on the GPU finds the triangles of the CPU, on 20 repeats") {
    if (!gpu_or_skip()) return;
    std::vector<IntersectionOptions> intersections;
    for (const char* balance : {"serial", "fine", "warp", "block", "sub-warp:8", "serial+warp", "fine+block",
                                "warp+block", "fine+warp+block", "serial+warp+block"}) {
        frontier::Axes axes;
        frontier::set_axis(axes, "balance", balance);
        axes.small = 4, axes.large = 40;
        intersections.push_back({.shares = axes});
    }
    for (const VertexId hubs : {VertexId{0}, hub_step, 2 * hub_step, max_hubs}) {
        intersections.emplace_back();
        intersections.back().bits = true, intersections.back().hubs = hubs;
    }
    for (const NamedGraph& named : with_triangles()) {
        const Undirected plan = make_undirected(named.graph, false);
        for (const bool by_vertex : {false, true}) {
            const auto expected = on_cpu(named.graph, by_vertex);
            for (const IntersectionOptions& intersection : intersections) {
                INFO(named.name << ", "
                                << (intersection.bits
                                        ? "hubs " + std::to_string(intersection.hubs)
                                        : "balance " + std::to_string(&intersection - &intersections[0])));
                const Runner runner = triangles_on_cuda(plan, intersection, by_vertex);
                for (int repeat = 0; repeat < (intersection.bits ? 20 : 2); ++repeat)
                    REQUIRE(counts_of(runner.run()) == expected);
            }
        }
    }
}
#endif

TEST_CASE("the proof finds 100 of 100 wrong counts") {
    const Graph graph = square_battery(true)[11].graph;
    const auto good = on_cpu(graph, true), all = on_cpu(graph, false);
    REQUIRE(find_problem(graph, good, true) == "");
    std::mt19937 random(5);
    int found = 0;
    for (int fault = 0; fault < 100; ++fault) {
        auto bad = good;
        const VertexId a = random() % graph.rows, b = random() % graph.rows;
        if (fault % 4 == 0) bad[a] += 1;
        if (fault % 4 == 1) bad[a] -= 1;
        // The sum of both is right.
        if (fault % 4 == 2) bad[a] += 1, bad[b == a ? (a + 1) % graph.rows : b] -= 1;
        const bool by_vertex = fault % 4 != 3;
        if (!by_vertex) bad = {all[0] + 1 + random() % 3};
        found += !find_problem(graph, bad, by_vertex).empty();
    }
    CHECK(found == 100);
    CHECK_FALSE(find_problem(graph, {1, 2}, true).empty());
}
