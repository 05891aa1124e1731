// Tests of implicit ALS: its vectors are compared with those of a dense solver in double precision, its
// results are bitwise identical, its lists are right, and its check finds planted faults.
#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "apps/als/check.hpp"
#include "apps/als/driver.hpp"
#include "catch.hpp"
#include "executor_support.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::als;
using Catch::Contains;

namespace {

/// Returns a graph with hubs, vertices without an edge, and a row with more edges than a chunk; weights are
/// at least 0.5, or there are none.
Graph taken(bool weighted, VertexId rows = 90, VertexId cols = 70) {
    std::mt19937 random(5);
    std::vector<Triple> edges;
    for (VertexId u = 0; u < rows; ++u) {
        if (u % 11 == 4) continue;
        for (VertexId v = 0; v < cols; ++v) {
            if (v != 7 && random() % (u == 3 ? 1 : 4 + v) == 0)
                edges.push_back({u, v, 0.5F + static_cast<float>(random() % 8)});
        }
    }
    return build_graph(std::move(edges), rows, cols, {.weighted = weighted});
}

using Vector = std::vector<double>;

/// Returns the solution of a symmetric system, found by elimination.
Vector solved(std::vector<Vector> a, Vector b) {
    const std::size_t n = b.size();
    for (std::size_t p = 0; p < n; ++p) {
        for (std::size_t i = p + 1; i < n; ++i) {
            const double factor = a[i][p] / a[p][p];
            for (std::size_t j = p; j < n; ++j) a[i][j] -= factor * a[p][j];
            b[i] -= factor * b[p];
        }
    }
    for (std::size_t p = n; p-- > 0;) {
        for (std::size_t j = p + 1; j < n; ++j) b[p] -= a[p][j] * b[j];
        b[p] /= a[p][p];
    }
    return b;
}

/// Checks the vectors of a side against a dense solution, given the other side and, for blocks of components,
/// the side's vectors before. Every pair of the matrix is added up on its own.
void require_solved(const Problem& p, const Side& side, const Array<float>& others,
                    const Array<float>& before, const Array<float>& found) {
    const std::size_t rank = p.settings.rank, stride = sgd::stride_of(p.settings.rank);
    double difference = 0, norm = 0;
    for (VertexId v = 0; v < side.size(); ++v) {
        std::vector<Vector> a(rank, Vector(rank));
        Vector b(rank);
        const auto add_pair = [&](VertexId other, double weight, double target) {
            const float* const h = others.data() + other * stride;
            for (std::size_t i = 0; i < rank; ++i) {
                for (std::size_t j = 0; j < rank; ++j) a[i][j] += weight * double{h[i]} * double{h[j]};
                b[i] += weight * target * double{h[i]};
            }
        };
        for (VertexId other = 0; other < others.size() / stride; ++other) add_pair(other, p.pair_weight, 0);
        for (EdgeId e = side.first[v]; e < side.first[v + 1]; ++e)
            add_pair(side.ends[e], side.weights.empty() ? 1.0 : side.weights[e], 1);
        for (std::size_t i = 0; i < rank; ++i) a[i][i] += side.regularisation[v];
        Vector expected(rank);
        for (std::size_t i = 0; i < rank; ++i)
            expected[i] = p.settings.block() ? double{before[v * stride + i]} : 0;
        const std::size_t block = p.settings.block() ? static_cast<std::size_t>(p.settings.block()) : rank;
        for (std::size_t first = 0; first < rank && side.degree(v) > 0; first += block) {
            const std::size_t count = std::min(block, rank - first);
            std::vector<Vector> part(count, Vector(count));
            Vector missed(count);
            for (std::size_t i = 0; i < count; ++i) {
                missed[i] = b[first + i];
                for (std::size_t j = 0; j < rank; ++j) missed[i] -= a[first + i][j] * expected[j];
                for (std::size_t j = 0; j < count; ++j) part[i][j] = a[first + i][first + j];
            }
            const Vector step = solved(part, missed);
            for (std::size_t i = 0; i < count; ++i) expected[first + i] += step[i];
        }
        for (std::size_t i = 0; i < rank; ++i) {
            difference += std::pow(found[v * stride + i] - expected[i], 2);
            norm += std::pow(expected[i], 2);
        }
    }
    REQUIRE(norm > 0);
    CHECK(std::sqrt(difference / norm) < 1e-4);
}

/// Returns a graph of four groups of five rows and five columns, with all pairs within a group and none
/// between groups.
Graph separate_groups() {
    constexpr VertexId groups = 4, size = 5;
    std::vector<Triple> edges;
    for (VertexId i = 0; i < groups * size; ++i)
        for (VertexId j = i % groups; j < groups * size; j += groups) edges.push_back({i, j, 1});
    return build_graph(std::move(edges), groups * size, groups * size, {});
}

std::unique_ptr<Outcome> run(const Graph& graph, int threads, Device device = Device::cpu,
                             std::uint32_t at_once = 0) {
    AlsOptions options;
    options.device = device, options.threads = threads, options.rank = 24, options.sweeps = 4;
    options.at_once = at_once;
    return run_als(graph, sgd::split_by_seed(graph, 0.1, 1), options, {});
}

}  // namespace

TEST_CASE("vectors of implicit ALS are those of a dense solver in double precision") {
    for (const auto& [rank, at_once] :
         {std::pair{1U, 0U}, {7, 0}, {16, 0}, {33, 0}, {33, 16}, {48, 32}, {130, 0}}) {
        for (const bool weighted : {false, true}) {
            Settings settings;
            settings.rank = rank, settings.at_once = at_once;
            const Problem p = make_problem(taken(weighted), {}, settings);
            const Factors start = initial_factors(p, 1);
            const auto solver = on_cpu(p, start, 2);
            solver.run();
            const Factors once = solver.result();
            require_solved(p, p.cols, once.row, start.col, once.col);
            solver.run();
            require_solved(p, p.rows, once.col, once.row, solver.result().row);
        }
    }
}

TEST_CASE("implicit ALS has one result, whatever the threads, however often, on every device") {
    std::set<std::string> hashes;
    for (const bool weighted : {false, true}) {
        const Graph graph = taken(weighted, 700, 2500);  // the columns have several blocks in their sum
        for (const std::uint32_t at_once : {0, 16}) {
            const auto again = [&](int threads, Device device = Device::cpu) {
                return run(graph, threads, device, at_once)->result_hash;
            };
            const std::string hash = again(1);
            CHECK(hashes.insert(hash).second);
            for (int time = 0; time < 5; ++time) {
                CHECK(again(2) == hash);
                CHECK(again(3) == hash);
            }
            std::string reason;
            if (cuda_available(&reason)) CHECK(again(0, Device::cuda) == hash);
        }
    }
}

TEST_CASE("the check of implicit ALS finds a vector that is not the best one") {
    for (const auto& [rank, at_once] : {std::pair{8U, 0U}, {24, 16}}) {
        const Problem p = make_problem(taken(true), {}, {.rank = rank, .at_once = at_once});
        const auto solver = on_cpu(p, initial_factors(p, 1), 1);
        for (int i = 0; i < 3; ++i) solver.run();
        const Factors right = solver.result();
        CHECK(problem_of_columns(p, right).empty());
        const VertexId isolated = 7;
        for (const VertexId v : {VertexId{0}, isolated, p.cols.size() - 1}) {
            Factors wrong = right;
            wrong.col[v * sgd::stride_of(rank) + rank - 3] += 0.02F;
            CHECK_THAT(problem_of_columns(p, wrong), Contains("column " + std::to_string(v) + " "));
        }
    }
}

TEST_CASE("the check of implicit ALS accepts vectors too small for a float") {
    for (const float heavy : {1.0F, 1e13F, 1e16F, 1e30F}) {
        Graph graph = taken(true);
        for (EdgeId e = 0; e < graph.edges(); ++e) {
            if (graph.col[e] % 5 == 2) graph.value[e] *= 1e-30F;
            if (graph.col[e] % 5 == 3) graph.value[e] *= heavy;
        }
        const Problem p = make_problem(graph, {}, {.rank = 8});
        const auto solver = on_cpu(p, initial_factors(p, 1), 1);
        for (int i = 0; i < 8; ++i) solver.run();
        const Factors found = solver.result();
        CHECK(problem_of_columns(p, found).empty());
        CHECK(problem_of_dimensions(p, found).empty());
    }
}

TEST_CASE("implicit ALS of rank K fits K dimensions") {
    // In a group, the vectors of a pair are equal and the only ones in their dimension: the prediction x
    // minimizes 25 (1 - x)^2 + 25 a x^2 + 10 r x.
    const Graph graph = separate_groups();
    for (const std::uint32_t rank : {4U, 5U, 16U}) {
        AlsOptions options;
        options.device = Device::cpu, options.rank = rank, options.sweeps = 200;
        const Problem p = make_problem(graph, {}, options);
        const double best = (1 - double{p.rows.regularisation[0]} / 5) / (1 + double{p.pair_weight});
        const auto outcome = run_als(graph, {}, options, {});
        const std::size_t stride = sgd::stride_of(rank);
        for (VertexId i = 0; i < graph.rows; ++i) {
            for (VertexId j = 0; j < graph.cols; ++j) {
                double found = 0;
                for (std::size_t k = 0; k < rank; ++k)
                    found += double{outcome->factors.row[i * stride + k]} *
                             double{outcome->factors.col[j * stride + k]};
                CHECK(found == Approx(i % 4 == j % 4 ? best : 0).margin(1e-4));
            }
        }
        // Dimensions beyond the first four are unused.
        CHECK(problem_of_dimensions(p, outcome->factors).empty());
    }
    const Problem p = make_problem(graph, {}, {.rank = 7});
    const Factors start = initial_factors(p, 1);
    for (const auto* side : {&start.row, &start.col}) {
        for (std::size_t k = 0; k < 7; ++k) CHECK((*side)[k] != 0);
    }
}

TEST_CASE("the check of implicit ALS finds a model of fewer dimensions than its rank") {
    for (const auto& [rank, at_once] : {std::pair{4U, 0U}, {8, 0}, {24, 16}}) {
        for (const bool weighted : {false, true}) {
            const Problem p = make_problem(taken(weighted), {}, {.rank = rank, .at_once = at_once});
            const std::size_t stride = sgd::stride_of(rank);
            const auto fitted = [&](const std::vector<std::size_t>& unused) {
                Factors start = initial_factors(p, 1);
                for (auto* side : {&start.row, &start.col})
                    for (std::size_t at = 0; at < side->size(); at += stride)
                        for (const std::size_t k : unused) (*side)[at + k] = 0;
                const auto solver = on_cpu(p, start, 1);
                for (int i = 0; i < 8; ++i) solver.run();
                return solver.result();
            };
            CHECK(problem_of_dimensions(p, fitted({})).empty());
            for (const std::vector<std::size_t>& unused :
                 {std::vector<std::size_t>{1}, {0}, {0, 2}, {rank - std::size_t{1}}}) {
                const Factors wrong = fitted(unused);
                CHECK(problem_of_columns(p, wrong).empty());
                CHECK_THAT(problem_of_dimensions(p, wrong),
                           Contains("use only " + std::to_string(rank - unused.size()) + " dimensions"));
            }
        }
    }
}

TEST_CASE("lists of implicit ALS are worth what a sort of all items says") {
    const Graph graph = taken(false, 100, 300);
    const sgd::Split split = sgd::split_by_seed(graph, 0.2, 3);
    const Problem p = make_problem(graph, split.held_out, {.rank = 5});
    Factors factors = initial_factors(p, 2);
    for (std::size_t i = 0; i < factors.col.size(); ++i)
        factors.col[i] = std::round(factors.col[i] * 50);  // makes some scores equal
    for (std::size_t i = 0; i < factors.row.size(); ++i) factors.row[i] = std::round(factors.row[i] * 50);
    const std::size_t stride = sgd::stride_of(5);
    double recall = 0, ndcg = 0;
    std::size_t users = 0;
    for (VertexId u = 0; u < graph.rows; ++u) {
        std::vector<bool> wanted(graph.cols), taken_already(graph.cols);
        std::size_t relevant = 0;
        for (const Triple& t : split.test)
            if (t.row == u) wanted[t.col] = true, ++relevant;
        if (relevant == 0) continue;
        for (EdgeId e = p.rows.first[u]; e < p.rows.first[u + 1]; ++e) taken_already[p.rows.ends[e]] = true;
        std::vector<std::pair<float, VertexId>> items;
        for (VertexId v = 0; v < graph.cols; ++v) {
            float score = 0;
            for (std::size_t j = 0; j < 5; ++j)
                score += factors.row[u * stride + j] * factors.col[v * stride + j];
            if (!taken_already[v]) items.emplace_back(-score, v);
        }
        std::sort(items.begin(), items.end());
        double gain = 0, most = 0, hits = 0;
        for (std::size_t i = 0; i < list_length; ++i) {
            if (i < relevant) most += 1 / std::log2(i + 2.0);
            if (i < items.size() && wanted[items[i].second]) gain += 1 / std::log2(i + 2.0), ++hits;
        }
        recall += hits / static_cast<double>(relevant), ndcg += gain / most, ++users;
    }
    REQUIRE(recall > 0);
    const Quality found = Ranking(p, split.test, 3).measure(factors, graph.rows);
    CHECK(found.users == users);
    CHECK(found.recall == Approx(recall / static_cast<double>(users)));
    CHECK(found.ndcg == Approx(ndcg / static_cast<double>(users)));
    CHECK(Ranking(p, split.test, 1).measure(factors, 10).users == 10);
}

TEST_CASE("implicit ALS refuses nothing to train on, one set of vertices, and weights that are none") {
    Graph one_set = separate_groups();
    one_set.shape = GraphShape::square, one_set.ends = Ends::vertices;
    CHECK_THROWS_WITH(make_problem(one_set, {}, {}), Contains("expected two sides (rows and columns)"));
    CHECK_THROWS_WITH(make_problem(Graph{}, {}, {}), Contains("no training edges"));
    const Graph all = taken(true);
    CHECK_THROWS_WITH(make_problem(all, std::vector<bool>(all.edges(), true), {}),
                      Contains("no training edges"));
    for (const float weight : {0.0F, -1.0F}) {
        Graph graph = taken(true);
        graph.value[5] = weight;
        CHECK_THROWS_WITH(make_problem(graph, {}, {}), Contains("expected a weight above 0"));
    }
    Graph heavy = taken(true);
    heavy.value[5] = 3e38F;
    CHECK_THROWS_WITH(make_problem(heavy, {}, {}), Contains("Divide all weights by the same number"));
}
