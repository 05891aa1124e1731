// Tests of layouts: the tournament pairs every two vertices once; any number of threads and the serial
// reference give one drawing; and the measures of a drawing detect a vertex in a wrong position.
#include <omp.h>

#include <cmath>
#include <set>

#include "apps/layout/reference.hpp"
#include "catch.hpp"
#include "executor_support.hpp"
#include "lockstep/executor/layout/random.hpp"

using namespace lockstep;
using namespace lockstep::layout;

namespace {

using Edges = std::vector<Triple>;

Graph graph_of(const Edges& edges, VertexId vertices, bool weighted = false) {
    return build_graph(edges, vertices, vertices, {.shape = GraphShape::square, .weighted = weighted});
}
Edges path(VertexId n, VertexId first = 0) {
    Edges edges;
    for (VertexId v = 0; v + 1 < n; ++v) edges.push_back({first + v, first + v + 1, 1});
    return edges;
}
Edges ring(VertexId n) {
    Edges edges = path(n);
    edges.push_back({n - 1, 0, 1});
    return edges;
}
Edges grid(VertexId side) {
    Edges edges;
    for (VertexId v = 0; v < side * side; ++v) {
        if (v % side + 1 < side) edges.push_back({v, v + 1, 1});
        if (v + side < side * side) edges.push_back({v, v + side, 1});
    }
    return edges;
}
/// Returns the edges with lengths of 1/2 to 2.
Edges with_lengths(Edges edges) {
    const auto words = draw_random(7, 99, static_cast<VertexId>(edges.size()));
    for (std::size_t i = 0; i < edges.size(); ++i)
        edges[i].value = 0.5F + static_cast<float>(words[i] % 1000) / 666;
    return edges;
}

struct Made {
    VertexPositions places;
    double stress;
    std::vector<std::vector<VertexId>> pivots;
};
Made drawn(const Graph& graph, const Options& options) {
    Drawing drawing(graph, options);
    drawing.begin(nullptr);
    while (drawing.swept() < options.sweeps) drawing.sweep(1);
    Made d{drawing.places(), drawing.stress(), {}};
    for (std::size_t i = 0; i < drawing.parts().size(); ++i) d.pivots.push_back(drawing.pivots(i));
    return d;
}

}  // namespace

TEST_CASE("a tournament: in a phase every group meets one, and every two groups meet once") {
    for (VertexId octets = 1; octets < 60; ++octets) {
        const Tournament tournament{octets};
        std::set<std::pair<VertexId, VertexId>> met;
        for (VertexId phase = 0; phase < tournament.phases(); ++phase) {
            std::set<VertexId> busy;
            for (VertexId i = 0; i < tournament.pairings(); ++i) {
                VertexId one = 0, other = 0;
                tournament.pairing(phase, i, one, other);
                REQUIRE(busy.insert(one).second);
                REQUIRE(busy.insert(other).second);
                REQUIRE(met.insert(std::minmax({one, other})).second);
            }
        }
        const std::size_t groups = tournament.groups();
        CHECK(groups * group_octets >= octets);
        CHECK(met.size() == groups * (groups - 1) / 2);
    }
}

TEST_CASE("tiles of octets lie one after another, without a gap") {
    for (VertexId octets = 1; octets < 12; ++octets) {
        EdgeId next = 0;
        for (VertexId a = 0; a < octets; ++a) {
            for (VertexId b = a; b < octets; ++b, next += 64) CHECK(tile_of(a, b, octets) == next);
        }
        CHECK(FullStress::bytes(octets * 8) == 4 * next);
    }
}

namespace {

/// Calls check(graph, options) for many graphs, in two and three dimensions, by all pairs and by pivots.
template <class Check>
void each_drawing(Check check) {
    std::vector<std::pair<std::string, Graph>> graphs;
    for (const VertexId n : {1U, 2U, 3U, 8U, 9U, 31U, 33U, 70U})
        graphs.emplace_back("path of " + std::to_string(n), graph_of(path(n), n));
    graphs.emplace_back("ring", graph_of(ring(150), 150));
    graphs.emplace_back("grid", graph_of(grid(13), 169));
    graphs.emplace_back("grid with lengths", graph_of(with_lengths(grid(11)), 121, true));
    Edges apart = path(40);
    for (const Triple& e : with_lengths(path(25, 40))) apart.push_back(e);
    apart.push_back({3, 3, 1}), apart.push_back({0, 1, 5}), apart.push_back({1, 0, 0.25F});
    graphs.emplace_back("components, a loop and parallel edges", graph_of(apart, 70, true));
    for (const auto& [name, graph] : graphs) {
        for (const int dimensions : {2, 3}) {
            for (const VertexId full_up_to : {1000U, 20U}) {
                INFO(name << ", " << dimensions << " dimensions, full up to " << full_up_to);
                check(graph, Options{.dimensions = dimensions, .full_up_to = full_up_to, .pivots = 9});
            }
        }
    }
}

}  // namespace

TEST_CASE("one drawing for any number of threads, and that of a serial run, to the bit") {
    each_drawing([](const Graph& graph, Options options) {
        const Made one = drawn(graph, options);
        for (options.threads = 2; options.threads <= 4; ++options.threads)
            REQUIRE(drawn(graph, options).places == one.places);
        CHECK(reference_places(graph, options, nullptr, options.sweeps, one.pivots) == one.places);
        const Proof proof = measure_drawing(graph, options, one.places, one.pivots);
        CHECK(proof.stress == Approx(one.stress).epsilon(1e-4).margin(1e-4));
    });
}

TEST_CASE("a GPU draws what a CPU does, to the bit, by all pairs and by pivots") {
    if (!test::gpu_or_skip()) return;
    each_drawing([](const Graph& graph, Options options) {
        const Made one = drawn(graph, options);
        options.device = Device::cuda;
        for (int repeat = 0; repeat < 3; ++repeat) CHECK(drawn(graph, options).places == one.places);
    });
}

TEST_CASE("a path ends straight, a ring round, and pivots come near to all pairs") {
    CHECK(drawn(graph_of(path(50), 50), {}).stress < 1);
    const VertexId n = 60;
    const Made round = drawn(graph_of(ring(n), n), {});
    double x = 0, y = 0, least = 1e30, most = 0;
    for (VertexId v = 0; v < n; ++v) x += round.places[2 * v] / n, y += round.places[2 * v + 1] / n;
    for (VertexId v = 0; v < n; ++v) {
        const double radius = std::hypot(round.places[2 * v] - x, round.places[2 * v + 1] - y);
        least = std::min(least, radius), most = std::max(most, radius);
    }
    CHECK(most < 1.1 * least);

    const Graph graph = graph_of(grid(20), 400);
    const Made full = drawn(graph, {}), sparse = drawn(graph, {.full_up_to = 100, .pivots = 50});
    REQUIRE(sparse.pivots[0].size() == 50);
    CHECK(std::set(sparse.pivots[0].begin(), sparse.pivots[0].end()).size() == 50);
    const std::vector<std::vector<VertexId>> none(1);
    CHECK(measure_drawing(graph, {}, sparse.places, none).stress < 1.2 * full.stress);
    CHECK(drawn(graph, {.racing = true, .threads = 2}).stress < 1.2 * full.stress);
}

TEST_CASE("a vertex that is not where it should be is seen by its stress and its unrest") {
    const Graph graph = graph_of(grid(9), 81);
    const Made right = drawn(graph, {});
    const Proof proof = measure_drawing(graph, {}, right.places, right.pivots);
    CHECK(proof.rms_displacement < 0.1);
    for (const VertexId v : {0U, 40U, 80U}) {
        VertexPositions wrong = right.places;
        wrong[2 * v] += 0.5F;
        const Proof found = measure_drawing(graph, {}, wrong, right.pivots);
        CHECK(found.stress > 1.001 * right.stress);
        CHECK(found.rms_displacement > proof.rms_displacement);
    }
    const Options other{.seed = 2};
    CHECK(drawn(graph, other).places != right.places);
}

TEST_CASE("sweeps suit the distances: more where they are all alike, and for pivots not") {
    const auto sweeps = [](const Graph& graph, VertexId full_up_to, bool asked) {
        Options options{.sweeps = 7, .full_up_to = full_up_to};
        options.sweeps_by_distances = !asked;
        return Drawing(graph, options).sweeps();
    };
    Edges star;
    for (VertexId v = 1; v < 100; ++v) star.push_back({0, v, 1});
    CHECK(sweeps(graph_of(star, 100), 1000, false) == 90);
    CHECK(sweeps(graph_of(star, 100), 10, false) == 15);
    CHECK(sweeps(graph_of(star, 100), 1000, true) == 7);
    CHECK(sweeps(graph_of(path(100), 100), 1000, false) == 15);
}

TEST_CASE("step sizes fall from the lightest term's to eps of the heaviest's, and then as 1 / t") {
    const Options options{.sweeps = 10};
    CHECK(step_size(0, options, 0.01, 4) == Approx(100));
    CHECK(step_size(9, options, 0.01, 4) == Approx(0.025));
    Options on = options;
    on.until = 0.01;
    for (std::uint64_t t = 1; t < 200; ++t) CHECK(step_size(t, on, 0.01, 4) < step_size(t - 1, on, 0.01, 4));
    CHECK(step_size(199, on, 0.01, 4) > 0.25 / 400);
}
