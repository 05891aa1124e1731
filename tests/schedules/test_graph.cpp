// Tests of the validity checks of permutations and graphs.
#include <omp.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "catch.hpp"
#include "lockstep/schedules/graph.hpp"

using namespace lockstep;

TEST_CASE("each id once, and none too large: whichever threads meet the two that are wrong") {
    const auto is_one = [](const std::vector<EdgeId>& ids) {
        return is_permutation(std::span<const EdgeId>(ids));
    };
    CHECK(is_one({}));
    const int most = omp_get_max_threads();
    omp_set_num_threads(3);
    std::mt19937_64 random(5);
    for (const EdgeId size : {1, 2, 63, 64, 65, 100'003}) {
        std::vector<EdgeId> ids(size);
        std::iota(ids.begin(), ids.end(), EdgeId{0});
        std::shuffle(ids.begin(), ids.end(), random);
        CHECK(is_one(ids));
        for (const EdgeId at : {EdgeId{0}, size / 2, size - 1}) {
            for (const EdgeId wrong : {ids[(at + size / 3 + 1) % size], size, ~EdgeId{0}}) {
                if (wrong == ids[at]) continue;
                const EdgeId right = std::exchange(ids[at], wrong);
                CHECK_FALSE(is_one(ids));
                ids[at] = right;
            }
        }
    }
    omp_set_num_threads(most);
}

TEST_CASE("a graph with a column out of order or range, or a weight that is no number, is not valid") {
    std::vector<Triple> triples;
    for (VertexId u = 0; u < 40; ++u) {
        for (VertexId v = u % 3; v < 50; v += 3) triples.push_back({u, v, 1});
    }
    const Graph good = build_graph(triples, 40, 50, {GraphShape::bipartite, true, true});
    CHECK_NOTHROW(validate(good));
    for (const EdgeId e : {EdgeId{0}, good.edges() / 2, good.edges() - 1}) {
        Graph bad = good;
        bad.value[e] = std::numeric_limits<float>::quiet_NaN();
        CHECK_THROWS_WITH(validate(bad), Catch::Contains("not finite"));
        bad.value[e] = -std::numeric_limits<float>::infinity();
        CHECK_THROWS_WITH(validate(bad), Catch::Contains("not finite"));
        bad = good;
        bad.col[e] = 50;
        CHECK_THROWS_WITH(validate(bad), Catch::Contains("invalid graph: column"));
    }
    Graph bad = good;
    std::swap(bad.col[3], bad.col[4]);
    CHECK_THROWS_WITH(validate(bad), Catch::Contains("not ascending"));
}
