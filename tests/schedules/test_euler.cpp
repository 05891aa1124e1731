// Tests of the matchings by Euler splitting: schedules are exact, the number of rounds is within its bound,
// sizes are even.
#include <omp.h>

#include <bit>
#include <numeric>
#include <random>

#include "../../schedules/src/euler.hpp"
#include "insight/build_options.hpp"
#include "proved.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Returns a graph in which each row and each column has about `degree` edges: the union of `degree` random
/// permutations of n, from which each edge is removed with probability `dropped`. Repeated pairs occur.
Graph near_regular(VertexId n, VertexId degree, double dropped, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<VertexId> to(n);
    std::iota(to.begin(), to.end(), 0U);
    std::vector<std::pair<VertexId, VertexId>> edges;
    for (VertexId d = 0; d < degree; ++d) {
        std::shuffle(to.begin(), to.end(), random);
        for (VertexId u = 0; u < n; ++u) {
            if (static_cast<double>(random() >> 11) * 0x1p-53 >= dropped) edges.emplace_back(u, to[u]);
        }
    }
    return graph_of(n, n, edges);
}

/// Returns an n x n graph that contains each pair with the given probability.
Graph dense(VertexId n, double chance, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::pair<VertexId, VertexId>> edges;
    for (VertexId u = 0; u < n; ++u) {
        for (VertexId v = 0; v < n; ++v) {
            if (static_cast<double>(random() >> 11) * 0x1p-53 < chance) edges.emplace_back(u, v);
        }
    }
    return graph_of(n, n, edges);
}

BuildOptions with(Matching matching) {
    BuildOptions options = insight::default_build_options();
    options.matching = matching;
    return options;
}

EdgeId ceil_log2(EdgeId d) { return d == 0 ? 0 : static_cast<EdgeId>(std::bit_width(d - 1)); }

void require_even(const ScheduleStatistics& s) {
    REQUIRE((s.rounds == 0 || s.min_round > 0));
    REQUIRE(s.max_round - s.min_round <= std::max<EdgeId>(1, s.min_round / 64));
}

/// Checks the guarantees of both algorithms.
void check(const Graph& graph) {
    const EdgeId least = max_degree(graph).both();
    const Schedule euler = build_agm_e(graph, with(Matching::euler)),
                   exact = build_agm_e(graph, with(Matching::exact));
    require_verified(verify(graph, euler));
    require_verified(verify(graph, exact));
    REQUIRE_FALSE(euler.maximal);
    REQUIRE(statistics(euler).rounds >= least);
    REQUIRE(statistics(euler).rounds <= least + ceil_log2(least));
    REQUIRE(statistics(exact).rounds == least);
    require_even(statistics(euler));
    require_even(statistics(exact));
    // The 64-bit positions that graphs of 2^32 edges need give the same matchings.
    REQUIRE(euler_colouring<std::uint64_t>(graph) == euler_colouring<std::uint32_t>(graph));
    require_verified(verify(graph, build_agm_n(graph, with(Matching::euler))));
}

}  // namespace

TEST_CASE("Euler splitting keeps its promises on the battery") {
    for (const NamedGraph& named : graph_battery()) {
        INFO(named.name);
        check(named.graph);
    }
}

TEST_CASE("Euler splitting keeps its promises on all 4,096 bipartite 3 x 4 graphs") {
    for (unsigned mask = 0; mask < 4096; ++mask) {
        std::vector<std::pair<VertexId, VertexId>> edges;
        for (unsigned bit = 0; bit < 12; ++bit) {
            if (mask >> bit & 1) edges.emplace_back(bit / 4, bit % 4);
        }
        INFO("mask " << mask);
        check(graph_of(3, 4, edges));
    }
}

TEST_CASE("Euler splitting keeps its promises at every degree") {
    for (VertexId degree = 1; degree <= 70; ++degree) {
        INFO("degree " << degree);
        check(near_regular(60, degree, 0, degree));
        check(near_regular(60, degree, 0.1, degree));
    }
}

TEST_CASE("Euler splitting keeps its promises on multigraphs and skewed graphs") {
    check(graph_of(1, 1, std::vector<std::pair<VertexId, VertexId>>(37, {0, 0})));
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        INFO("seed " << seed);
        check(random_graph(static_cast<VertexId>(2 + seed % 40), static_cast<VertexId>(3 + seed % 17),
                           25 * (seed % 50), seed));
    }
}

TEST_CASE("Euler splitting of near-regular and dense graphs saves rounds, and splits a power of two evenly") {
    for (const VertexId degree : {16U, 128U}) {
        const Graph graph = near_regular(2000, degree, 0, degree);
        check(graph);
        const ScheduleStatistics s = statistics(build_agm_e(graph, with(Matching::euler)));
        CHECK(s.rounds == degree);
        CHECK(s.min_round == s.max_round);
        CHECK(10 * statistics(build_agm_e(graph, {})).rounds > 12 * s.rounds);
        check(near_regular(2000, degree, 0.05, degree));
    }
    check(dense(500, 0.7, 1));
}

TEST_CASE("balancing evens the sizes of any matchings, and keeps their number") {
    const Graph graph = random_graph(300, 300, 4000, 3);
    Matchings matchings = maximal_matchings(graph);
    const auto& [matching, count] = matchings;
    REQUIRE(*std::max_element(matching.begin(), matching.end()) + 1 == count);
    balance_matchings(graph, matchings);
    Schedule schedule = build_agm_e(graph, {});
    schedule.maximal = false;
    std::stable_sort(schedule.order.begin(), schedule.order.end(),
                     [&](EdgeId a, EdgeId b) { return matching[a] < matching[b]; });
    schedule.level(Level::phase).assign(count + 1, 0);
    for (const VertexId m : matching) ++schedule.level(Level::phase)[m + 1];
    std::partial_sum(schedule.level(Level::phase).begin(), schedule.level(Level::phase).end(),
                     schedule.level(Level::phase).begin());
    require_verified(verify(graph, schedule));
    require_even(statistics(schedule));
}

TEST_CASE("any number of threads finds the same matchings") {
    const Graph even = near_regular(5000, 21, 0.02, 1), skewed = random_graph(5000, 400, 90000, 2);
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    const auto euler = euler_matchings(even), exact = exact_matchings(even), hubs = euler_matchings(skewed);
    for (const int n : {2, 4, 8}) {
        INFO(n << " threads");
        omp_set_num_threads(n);
        CHECK(euler_matchings(even) == euler);
        CHECK(exact_matchings(even) == exact);
        CHECK(euler_matchings(skewed) == hubs);
    }
    omp_set_num_threads(threads);
}

TEST_CASE("the matchings say what they are and why") {
    const Graph even = near_regular(3000, 21, 0.02, 1), skewed = random_graph(500, 400, 9000, 2);
    for (const Matching matching :
         {Matching::first_fit, Matching::euler, Matching::exact, Matching::automatic}) {
        CHECK(matching_of(to_string(matching)) == matching);
        if (matching == Matching::automatic) continue;
        const Schedule requested = build_agm_e(even, with(matching));
        CHECK(requested.parameters.at("matching") == to_string(matching));
        CHECK(requested.parameters.count("matching_reason") == 0);
    }
    const Schedule chosen = build_agm_e(even, with(Matching::automatic));
    CHECK(chosen.parameters.at("matching") == "euler");
    CHECK_THAT(chosen.parameters.at("matching_reason"), Catch::Contains("near-regular"));
    CHECK_FALSE(chosen.maximal);
    require_verified(verify(even, chosen));

    const Schedule kept = build_agm_e(skewed, with(Matching::automatic));
    CHECK(kept.parameters.at("matching") == "first-fit");
    CHECK_THAT(kept.parameters.at("matching_reason"), Catch::Contains("least possible"));
    CHECK(kept.maximal);
    CHECK(kept.order == build_agm_e(skewed, {}).order);
    CHECK_THROWS_WITH(matching_of("fewest"), Catch::Contains("first-fit, euler, exact, auto"));
}
