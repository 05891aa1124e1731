// Adaptive rates: plans off chip keep every vertex's order, one share for all is one rate, and the bits are
// the same on any device.
#include "lockstep/executor/edge/off_chip.hpp"
#include "sgd_support.hpp"

using namespace lockstep;
using namespace lockstep::sgd;
using namespace lockstep::test;

namespace {

SgdOptions adaptive_on(Device device, std::uint32_t rank, Storage storage = Storage::fp32) {
    SgdOptions options;
    options.device = device;
    options.rank = rank;
    options.sweeps = 2, options.threads = 1;
    options.test_fraction = 0.1;
    options.storage = storage;
    options.rate_schedule = RateSchedule::adaptive;
    options.learning_rate = 0.05, options.decay = 0.05;
    return options;
}

/// The edges of each vertex in their order: rows, then columns.
std::vector<std::vector<EdgeId>> orders(const EdgePlan& plan) {
    std::vector<std::vector<EdgeId>> of(EdgeId{plan.rows} + plan.cols);
    for (EdgeId e = 0; e < plan.edges(); ++e) {
        of[plan.row[e]].push_back(plan.id[e]);
        of[plan.rows + plan.col[e]].push_back(plan.id[e]);
    }
    return of;
}

/// No two of the edges, or tasks, of a phase share a vertex.
void require_disjoint(const EdgePlan& plan) {
    const auto check = [&](const std::vector<EdgeId>& units, EdgeId first, EdgeId last) {
        std::vector<EdgeId> row(plan.rows, ~EdgeId{0}), col(plan.cols, ~EdgeId{0});
        for (EdgeId unit = first; unit < last; ++unit) {
            for (EdgeId e = units[unit]; e < units[unit + 1]; ++e) {
                REQUIRE((row[plan.row[e]] == ~EdgeId{0} || row[plan.row[e]] == unit));
                REQUIRE((col[plan.col[e]] == ~EdgeId{0} || col[plan.col[e]] == unit));
                row[plan.row[e]] = col[plan.col[e]] = unit;
            }
        }
    };
    if (const auto* tasks = std::get_if<TasksPlan>(&plan.walk)) {
        REQUIRE(tasks->task_offsets.back() == plan.edges());
        REQUIRE(tasks->phase_tasks.back() + 1 == tasks->task_offsets.size());
        for (EdgeId p = 0; p < tasks->phases(); ++p)
            check(tasks->task_offsets, tasks->phase_tasks[p], tasks->phase_tasks[p + 1]);
    } else {
        const auto& phases = std::get<PhasesPlan>(plan.walk);
        REQUIRE(phases.phase_offsets.back() == plan.edges());
        std::vector<EdgeId> each(plan.edges() + 1);
        for (EdgeId e = 0; e < each.size(); ++e) each[e] = e;
        for (EdgeId p = 0; p < phases.phases(); ++p)
            check(each, phases.phase_offsets[p], phases.phase_offsets[p + 1]);
    }
}

}  // namespace

TEST_CASE("plans off chip: the same edges, each vertex's in the same order, nothing shared at once") {
    for (const Graph& graph : {hubs(), small_road(20)}) {
        const std::vector<bool> held_out = hold_out(graph.edges(), 0.2, 1);
        for (const Strategy& strategy : strategies()) {
            if (!strategy.deterministic()) continue;
            CAPTURE(strategy.name);
            const EdgePlan plan = plan_for(graph, strategy, small_build(), held_out);
            const EdgePlan moved = off_chip(plan);
            REQUIRE(orders(moved) == orders(plan));
            require_disjoint(moved);
            for (EdgeId e = 0; e < moved.edges(); ++e) REQUIRE(moved.value[e] == graph.weight(moved.id[e]));
        }
    }
}

TEST_CASE("adaptive rates: one rate where the decay is 0, any number of threads, near double precision") {
    const Graph graph = random_graph(150, 60, 1500, 5);
    for (const Strategy& strategy : strategies()) {
        if (!strategy.deterministic()) continue;
        for (const Storage storage : {Storage::fp32, Storage::fp16}) {
            INFO(strategy.name << ", " << to_string(storage));
            SgdOptions options = adaptive_on(Device::cpu, 10, storage);
            const Outcome found = run(graph, strategy, options);
            options.threads = 3;
            require_same(run(graph, strategy, options), found);
            const Outcome exact = run(graph, strategy, adaptive_on(Device::reference, 10));
            const double near = storage == Storage::fp32 ? 1e-4 : 0.05;
            CHECK(relative_distance(found.factors.row, exact.factors.row) < near);
            CHECK(relative_distance(found.factors.col, exact.factors.col) < near);
            options.decay = 0;
            const Outcome alike = run(graph, strategy, options);
            CHECK(alike.result_hash != found.result_hash);
            options.rate_schedule = RateSchedule::constant;
            // The stars of tiles run together, which rounds otherwise.
            if (strategy.name != std::string_view("tiled") && strategy.name != std::string_view("core-tail"))
                CHECK(alike.result_hash == run(graph, strategy, options).result_hash);
        }
    }
}

TEST_CASE("adaptive rates with strategies that lock or race") {
    const Graph graph = random_graph(150, 60, 1500, 5);
    for (const Strategy& strategy : strategies()) {
        if (strategy.deterministic()) continue;
        CAPTURE(strategy.name);
        SgdOptions options = adaptive_on(Device::automatic, 16);
        options.learning_rate = 0.002;  // a GPU has every edge of this graph in flight at once
        const Outcome found = run(graph, strategy, options);
        CHECK(*found.sweeps.back().metric("rmse_train") < *found.sweeps.front().metric("rmse_train"));
        CHECK(found.sweeps.back().updates == found.train_edges);
    }
}

TEST_CASE("adaptive rates go without what needs one rate") {
    SgdOptions options = adaptive_on(Device::cpu, 16);
    options.relaxed_hubs = true;
    REQUIRE_THROWS_AS(check_options(options), Error);
}

#if defined(LOCKSTEP_HAS_CUDA)
TEST_CASE("adaptive rates: CPU and GPU agree bit for bit on every offline schedule") {
    if (!gpu_or_skip()) return;
    const Graph graph = hubs();
    for (const Strategy& strategy : strategies()) {
        if (!strategy.deterministic()) continue;
        for (const std::uint32_t rank : {3U, 8U, 16U, 33U, 64U, 128U, 200U}) {
            for (const Storage storage : {Storage::fp32, Storage::fp16}) {
                INFO(strategy.name << ", rank " << rank << ", " << to_string(storage));
                require_same(run(graph, strategy, adaptive_on(Device::cuda, rank, storage)),
                             run(graph, strategy, adaptive_on(Device::cpu, rank, storage)));
            }
        }
    }
}
#endif
