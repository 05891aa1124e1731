// Tests of the walk of stars: its requirements on a schedule beyond the form, and its long stars. The tests
// of all walks check that it runs each edge once, bitwise identical to one worker.
#include "insight/build_options.hpp"
#include "lockstep/executor/edge/plan.hpp"
#include "lockstep/executor/edge/star/arithmetic.hpp"
#include "lockstep/schedules/builders.hpp"
#include "sgd_support.hpp"

using namespace lockstep;
using namespace lockstep::sgd;
using namespace lockstep::test;
using Catch::Contains;

namespace {

/// Returns a schedule with all edges of a graph as one task.
Schedule one_task(const Graph& graph) {
    Schedule schedule;
    schedule.name = "stars";
    schedule.disjoint = Disjoint::both;
    for (EdgeId e = 0; e < graph.edges(); ++e) schedule.order.push_back(e);
    schedule.level(Level::task) = {0, graph.edges()};
    schedule.level(Level::phase) = {0, 1};
    return schedule;
}

/// Returns the schedule of a graph whose hubs have long stars, on both sides.
Schedule stars_of(const Graph& graph, EdgeId star_edges) {
    return build_stars(graph, insight::default_build_options().costs, star_edges);
}
Schedule long_stars(const Graph& graph) { return stars_of(graph, 64); }

void make(const Graph& graph) {
    const Schedule schedule = one_task(graph);
    make_plan(graph, find_strategy("stars"), &schedule);
}

}  // namespace

TEST_CASE("a task that is no star is refused") {
    CHECK_NOTHROW(make(test::graph_of(4, 4, {{0, 1}, {0, 2}, {0, 3}})));
    CHECK_NOTHROW(make(test::graph_of(4, 4, {{1, 0}, {2, 0}, {3, 0}})));
    CHECK_NOTHROW(make(test::graph_of(4, 4, {{2, 3}})));
    for (const auto& edges : {std::vector<std::pair<VertexId, VertexId>>{{0, 0}, {1, 1}},
                              {{0, 1}, {0, 2}, {1, 2}},
                              {{0, 0}, {1, 0}, {1, 1}},
                              {{0, 0}, {0, 0}}}) {
        CHECK_THROWS_WITH(make(test::graph_of(4, 4, edges)), Contains("task 0 is not a star"));
    }
}

TEST_CASE("long stars: the first ones of a phase, as far as their edges are not held out") {
    const Graph graph = hubs();
    const Schedule schedule = long_stars(graph);
    std::vector<bool> held_out(graph.edges());
    for (EdgeId e = 0; e < graph.edges(); e += 3) held_out[e] = true;
    for (const std::vector<bool>& without : {std::vector<bool>{}, held_out}) {
        const EdgePlan plan = make_plan(graph, find_strategy("stars"), &schedule, Endpoints::both, without);
        const auto& stars = std::get<StarsPlan>(plan.walk);
        EdgeId rows = 0, cols = 0;
        for (EdgeId p = 0; p < stars.phases(); ++p) {
            for (EdgeId s = stars.phase_stars[p]; s < stars.phase_stars[p + 1]; ++s) {
                const bool first =
                    s - stars.phase_stars[p]<hub_stars, is_long = stars.first(s + 1) - stars.first(s)> EdgeId{
                            long_star};
                REQUIRE(stars.is_long(s) == (first && is_long));
                if (stars.is_long(s)) ++(stars.around_row(s) ? rows : cols);
            }
        }
        CHECK(rows > 0);
        CHECK(cols > 0);
        CHECK(stars.long_stars() == rows + cols);
    }
}

TEST_CASE(
    "long stars of the walk of stars: within 1e-4 of serial double precision, on any number of threads") {
    const Graph graph = hubs();
    const Schedule schedule = long_stars(graph);
    const Strategy& strategy = find_strategy("stars");
    for (const std::uint32_t rank : {1U, 8U, 16U, 33U, 64U, 100U, 200U}) {
        INFO("rank " << rank);
        SgdOptions options = two_sweeps(Device::cpu, rank);
        const Outcome cpu = run_sgd(graph, strategy, &schedule, options);
        const Outcome serial = run_sgd(graph, strategy, &schedule, two_sweeps(Device::reference, rank));
        REQUIRE(relative_distance(cpu.factors.col, serial.factors.col) < 1e-4);
        REQUIRE(relative_distance(cpu.factors.row, serial.factors.row) < 1e-4);
        for (const int threads : {1, 3}) {
            options.threads = threads;
            require_same(run_sgd(graph, strategy, &schedule, options), cpu);
        }
    }
}

TEST_CASE("long stars want a GPU that copies in bulk, others none") {
    const Graph graph = hubs();
    const auto why = [&](const Schedule& schedule, int major, EdgeId star_place_words) {
        OperatorSize size{4, 16, 48, 64, 64, star_place_words};
        const EdgePlan plan = make_plan(graph, find_strategy("stars"), &schedule);
        return why_not(plan, size, {132, 227 << 10, major, 0}).value_or("");
    };
    CHECK(why(long_stars(graph), 9, 600).empty());
    CHECK_THAT(why(long_stars(graph), 8, 600),
               Contains("compute capability 9.0") && Contains("--star-edges 32"));
    CHECK(why(stars_of(graph, 32), 8, 600).empty());
    CHECK(why(long_stars(graph), 8, 0).empty());  // an operator that is not affine has no long stars
}

#if defined(LOCKSTEP_HAS_CUDA)
TEST_CASE("long stars of the walk of stars: CPU and GPU agree bit for bit, on repeats") {
    if (!gpu_or_skip()) return;
    const Graph graph = hubs();
    const Schedule schedule = long_stars(graph);
    for (const std::uint32_t rank : {1U, 3U, 8U, 16U, 33U, 64U, 100U, 128U, 200U, 256U}) {
        for (const Storage storage : {Storage::fp32, Storage::fp16}) {
            for (const bool nonnegative : {false, true}) {
                INFO("rank " << rank << ", " << to_string(storage) << (nonnegative ? ", clipped" : ""));
                SgdOptions options = two_sweeps(Device::cpu, rank, 2);
                options.storage = storage;
                options.nonnegative = nonnegative;
                const Outcome cpu = run_sgd(graph, find_strategy("stars"), &schedule, options);
                options.device = Device::cuda;
                for (int repeat = 0; repeat < 3; ++repeat)
                    require_same(run_sgd(graph, find_strategy("stars"), &schedule, options), cpu);
            }
        }
    }
}
#endif
