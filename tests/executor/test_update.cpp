// Tests of updates (two structs and a function) under every strategy: of one set of vertices, and of two
// sides.
#include <cstring>
#include <random>

#include "catch.hpp"
#include "executor_support.hpp"
#include "insight/build_options.hpp"
#include "lockstep/schedules/builders.hpp"
#include "support.hpp"
#include "updates.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

Graph square(VertexId vertices, EdgeId edges, Ends ends) {
    std::mt19937 random(5);
    std::vector<Triple> triples;
    const auto vertex = [&] {
        const double x = std::uniform_real_distribution<>(0, 1)(random);
        return static_cast<VertexId>(x * x * vertices);
    };
    for (EdgeId e = 0; e < edges; ++e) {
        triples.push_back({vertex(), vertex(), 1});
        if (e % 40 == 0) triples.push_back({triples.back().col, triples.back().row, 1});
        if (e % 90 == 0) triples.push_back({triples.back().row, triples.back().row, 1});
    }
    return build_graph(std::move(triples), vertices, vertices, {.shape = GraphShape::square, .ends = ends});
}
/// Returns a square cloth of springs to the right, down and along both diagonals.
Graph cloth(VertexId side) {
    std::vector<Triple> triples;
    const auto at = [&](VertexId i, VertexId j) { return i * side + j; };
    for (VertexId i = 0; i < side; ++i) {
        for (VertexId j = 0; j < side; ++j) {
            if (j + 1 < side) triples.push_back({at(i, j), at(i, j + 1), 1});
            if (i + 1 < side) triples.push_back({at(i + 1, j), at(i, j), 1});
            if (i + 1 < side && j + 1 < side)
                triples.push_back({at(i, j), at(i + 1, j + 1), std::sqrt(2.0F)});
            if (i + 1 < side && j > 0) triples.push_back({at(i, j), at(i + 1, j - 1), std::sqrt(2.0F)});
        }
    }
    return build_graph(std::move(triples), side * side, side * side,
                       {.shape = GraphShape::square, .ends = Ends::vertices});
}

BuildOptions options() {
    BuildOptions build = insight::default_build_options();
    build.rank = 4, build.multiprocessors = 8;
    return build;
}
std::optional<Schedule> own_schedule(const Graph& graph, const Strategy& strategy) {
    if (!strategy.schedule) return {};
    return find_builder(strategy.schedule).build(graph, options());
}
bool runs(const Strategy& strategy, const Graph& graph) {
    try {
        walk_of(strategy, graph.ends);
    } catch (const ScheduleError&) {
        return false;
    }
    return !strategy.schedule || refusal(strategy.schedule, graph, options()).empty();
}

/// Puts the particles at their positions in the mesh, pulled apart a little.
template <class Run>
void stretch(Run& run, const Graph& graph, VertexId side) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> noise(-0.1F, 0.1F);
    for (VertexId v = 0; v < graph.rows; ++v)
        run.vertices[v] = {static_cast<float>(v / side) + noise(random),
                           static_cast<float>(v % side) + noise(random), noise(random), v == 0 ? 0.0F : 1.0F};
    std::vector<Spring::Edge> rest;
    const Array<EdgeId> order = given_order(graph);
    for (EdgeId i = 0; i < graph.edges(); ++i) rest.push_back({graph.weight(order[i])});
    run.set_edges(rest);
}

template <class State>
bool same(const std::vector<State>& a, const std::vector<State>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(State)) == 0;
}

}  // namespace

TEST_CASE("update: one set keeps a conserved sum under every strategy but those that race") {
    const Graph graph = square(300, 4000, Ends::vertices);
    std::vector<std::string> ran;
    for (const Strategy& strategy : strategies()) {
        INFO(strategy.name);
        if (!runs(strategy, graph)) continue;
        ran.emplace_back(strategy.name);
        const std::optional<Schedule> schedule = own_schedule(graph, strategy);
        const Schedule* const walked = schedule ? &*schedule : nullptr;
        update::Run<Flow> run(graph, strategy, walked, 4), serial(graph, strategy, walked, 1);
        for (VertexId v = 0; v < graph.rows; ++v) run.vertices[v] = serial.vertices[v] = {v * 1000, 0};
        for (int i = 0; i < 3; ++i) {
            CHECK(run.sweep().updates == graph.edges());
            serial.loop();
        }
        if (strategy.races()) continue;
        std::int64_t sum = 0;
        for (const Flow::Vertex& v : run.vertices) sum += v.amount;
        CHECK(sum == 1000 * 300 * 299 / 2);
        const std::vector<EdgeId> degree = vertex_degrees(graph);
        EdgeId loops = 0;
        for (VertexId v = 0; v < graph.rows; ++v) {
            EdgeId own = 0;
            for (const EdgeId e : graph.edges_of(v)) own += graph.col[e] == v;
            loops += own;
            if (run.vertices[v].edges != 3 * (degree[v] + own))
                FAIL_CHECK("vertex " << v);  // a loop counts at both endpoints
        }
        CHECK(loops > 0);
        if (!strategy.deterministic()) continue;
        for (VertexId v = 0; v < graph.rows; ++v)
            if (run.vertices[v].amount != serial.vertices[v].amount) FAIL_CHECK("vertex " << v);
        CHECK(same(run.edges(), serial.edges()));
    }
    CHECK(ran == std::vector<std::string>{"agm-e", "diag", "blkdiag", "tiled", "stars", "local", "el",
                                          "el-shuffled", "nl", "nl-marks", "nl-el", "hogwild"});
}

#if defined(LOCKSTEP_HAS_CUDA)
namespace {

/// Compares field by field, since padding between fields has no defined value.
bool alike(const Flow::Vertex& a, const Flow::Vertex& b) {
    return a.amount == b.amount && a.edges == b.edges;
}
bool alike(const Trade::Row& a, const Trade::Row& b) { return a.amount == b.amount; }
bool alike(const Trade::Col& a, const Trade::Col& b) { return a.amount == b.amount && a.edges == b.edges; }
bool alike(const Spring::Vertex& a, const Spring::Vertex& b) { return std::memcmp(&a, &b, sizeof a) == 0; }
template <class State>
bool same_states(const std::vector<State>& a, const std::vector<State>& b) {
    return std::ranges::equal(a, b, [](const State& x, const State& y) { return alike(x, y); });
}

/// Compares every strategy that runs the update on this graph on a GPU with a CPU; `start` sets the states of
/// a run. Deterministic strategies must be bitwise identical to the CPU, `repeats` times; holds(run) must be
/// true of strategies without lost updates. Returns the names of the strategies.
template <class U, class Start, class Holds>
std::vector<std::string> compare_on_gpu(const Graph& graph, const update::ParametersOf<U>& parameters,
                                        int sweeps, int repeats, Start start, Holds holds) {
    std::vector<std::string> ran;
    for (const Strategy& strategy : strategies()) {
        INFO(strategy.name);
        if (!runs(strategy, graph)) continue;
        const std::optional<Schedule> schedule = own_schedule(graph, strategy);
        const Schedule* const walked = schedule ? &*schedule : nullptr;
        update::Run<U> serial(graph, strategy, walked, 1);
        start(serial);
        for (int i = 0; i < sweeps; ++i) serial.loop(parameters);
        for (int repeat = 0; repeat < (strategy.deterministic() ? repeats : 3); ++repeat) {
            update::Run<U> run(graph, strategy, walked, 1);
            start(run);
            const std::optional<EdgeId> updates =
                sweep_on_gpu(run, graph, strategy, walked, parameters, sweeps);
            REQUIRE(updates);
            CHECK(*updates == static_cast<EdgeId>(sweeps) * graph.edges());
            if (!strategy.races()) holds(run);
            if (!strategy.deterministic()) continue;
            bool alike = same_states(run.vertices, serial.vertices) && same_states(run.cols, serial.cols);
            if constexpr (!std::is_empty_v<update::EdgeOf<U>>) alike &= same(run.edges(), serial.edges());
            if (!alike) FAIL_CHECK("the GPU's states are not a serial loop's");
        }
        ran.emplace_back(strategy.name);
    }
    return ran;
}

}  // namespace

TEST_CASE("update: every strategy on a GPU has the CPU's bits, or keeps what is conserved") {
    if (!gpu_or_skip()) return;
    const std::vector<std::string> of_one_set{"agm-e", "diag",     "blkdiag", "tiled",
                                              "stars", "local",    "el",      "el-shuffled",
                                              "nl",    "nl-marks", "nl-el",   "hogwild"};
    for (const EdgeId edges : {EdgeId{1}, EdgeId{4000}, EdgeId{60000}}) {
        const Graph graph = square(300, edges, Ends::vertices);
        const auto ran = compare_on_gpu<Flow>(
            graph, {}, 3, 20,
            [&](auto& run) {
                for (VertexId v = 0; v < graph.rows; ++v) run.vertices[v] = {v * 1000, 0};
            },
            [&](const auto& run) {
                std::int64_t sum = 0;
                EdgeId ends = 0;
                for (const Flow::Vertex& v : run.vertices) sum += v.amount, ends += v.edges;
                CHECK(sum == 1000 * 300 * 299 / 2);
                EdgeId loops = 0;
                for (VertexId v = 0; v < graph.rows; ++v)
                    for (const EdgeId e : graph.edges_of(v)) loops += graph.col[e] == v;
                CHECK(ends == 3 * 2 * graph.edges());
                CHECK((edges == 1 || loops > 0));
            });
        if (edges > 1) CHECK(ran == of_one_set);
    }
    const Graph sides = square(300, 4000, Ends::sides);
    const auto ran = compare_on_gpu<Trade>(
        sides, {.share = 3}, 3, 20,
        [&](auto& run) {
            for (VertexId v = 0; v < sides.rows; ++v) run.vertices[v] = {v * 1000};
        },
        [&](const auto& run) {
            std::int64_t sum = 0;
            for (VertexId v = 0; v < sides.rows; ++v) sum += run.vertices[v].amount + run.cols[v].amount;
            CHECK(sum == 1000 * 300 * 299 / 2);
        });
    CHECK(std::ranges::count(ran, "sgm") + std::ranges::count(ran, "tiled") + std::ranges::count(ran, "nl") ==
          3);
}

TEST_CASE("update: a cloth of springs on a GPU has the CPU's bits, 20 times") {
    if (!gpu_or_skip()) return;
    constexpr VertexId side = 64;
    const Graph graph = cloth(side);
    compare_on_gpu<Spring>(
        graph, {.compliance = 1e-6F}, 20, 20, [&](auto& run) { stretch(run, graph, side); },
        [](const auto&) {});
}
#endif

TEST_CASE("update: two sides keep it, too") {
    const Graph graph = square(300, 4000, Ends::sides);
    for (const Strategy& strategy : strategies()) {
        INFO(strategy.name);
        if (!runs(strategy, graph) || strategy.races()) continue;
        const std::optional<Schedule> schedule = own_schedule(graph, strategy);
        const Schedule* const walked = schedule ? &*schedule : nullptr;
        update::Run<Trade> run(graph, strategy, walked, 4), serial(graph, strategy, walked, 1);
        for (VertexId v = 0; v < graph.rows; ++v) run.vertices[v] = serial.vertices[v] = {v * 1000};
        for (int i = 0; i < 3; ++i) run.sweep({.share = 3}), serial.loop({.share = 3});
        std::int64_t sum = 0;
        for (VertexId v = 0; v < graph.rows; ++v) sum += run.vertices[v].amount + run.cols[v].amount;
        CHECK(sum == 1000 * 300 * 299 / 2);
        if (!strategy.deterministic()) continue;
        CHECK(same(run.vertices, serial.vertices));
        for (VertexId v = 0; v < graph.cols; ++v) {
            const bool alike =
                run.cols[v].amount == serial.cols[v].amount && run.cols[v].edges == serial.cols[v].edges;
            if (!alike) FAIL_CHECK("column " << v);
        }
    }
}

TEST_CASE("update: a cloth of springs has the bits of a serial loop, for any number of threads, on repeats") {
    constexpr VertexId side = 64;  // 16,002 springs
    const Graph graph = cloth(side);
    REQUIRE(graph.edges() == 16002);
    for (const char* name : {"agm-e", "diag", "blkdiag", "stars", "local", "tiled"}) {
        INFO(name);
        const Strategy& strategy = find_strategy(name);
        const std::optional<Schedule> schedule = own_schedule(graph, strategy);
        update::Run<Spring> serial(graph, strategy, &*schedule, 1);
        stretch(serial, graph, side);
        for (int i = 0; i < 20; ++i) serial.loop({.compliance = 1e-6F});
        for (const int threads : {1, 2, 3, 4}) {
            for (int repeat = 0; repeat < 5; ++repeat) {
                update::Run<Spring> run(graph, strategy, &*schedule, threads);
                stretch(run, graph, side);
                for (int i = 0; i < 20; ++i) run.sweep({.compliance = 1e-6F});
                REQUIRE(same(run.vertices, serial.vertices));
            }
        }
    }
}

TEST_CASE("update: whose state an end is must be what the graph says") {
    const Graph sides = square(30, 100, Ends::sides), vertices = square(30, 100, Ends::vertices);
    const Strategy& el = find_strategy("el");
    CHECK_THROWS_WITH(update::Run<Flow>(sides, el, nullptr), Catch::Contains("--ends vertices"));
    CHECK_THROWS_WITH(update::Run<Trade>(vertices, el, nullptr), Catch::Contains("--ends sides"));
    CHECK_THROWS_WITH(make_plan(vertices, el, nullptr), Catch::Contains("--ends sides"));
    CHECK_THROWS_WITH(walk_of(find_strategy("sgm"), Ends::vertices), Catch::Contains("two sides"));
}
