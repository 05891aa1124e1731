// Core and tail, and tiles whose users stay on chip: the sequential updates, and the same bits everywhere.
#include "sgd_support.hpp"

using namespace lockstep;
using namespace lockstep::sgd;
using namespace lockstep::test;

namespace {

struct Case {
    const char* strategy;
    Graph graph;
    Schedule schedule;
};

/// A column of 70,000 edges, which is more than a batch of every segment of a pass, and hubs of either side
/// with fewer, some of fewer than fill all parts; the other edges are few.
Graph large_hubs() {
    std::vector<Triple> triples;
    const auto add = [&](VertexId u, VertexId v) {
        triples.push_back({u, v, 1.0F + 0.1F * static_cast<float>((u * 7 + v * 13) % 40)});
    };
    for (VertexId i = 0; i < 70000; ++i) {
        add(i, 0);
        if (i % 14 == 0) add(i, 1);
        if (i % 90 == 0) add(i, 2);
        if (i < 3000) add(29, 3 + i);
        if (i % 5 == 0) add(i, 3 + (i / 5 * 11) % 3000);
    }
    return build_graph(triples, 70000, 3003, {GraphShape::bipartite, true, true});
}

Schedule with_passes(const Graph& graph, VertexId passes) {
    BuildOptions build;
    build.hub_passes = passes, build.hub_degree = 20, build.item_blocks = 3, build.rank = 64;
    return build_core_tail(graph, build);
}

/// Core and tail with long stars of both sides in the cores; tiles of users.
std::vector<Case> cases() {
    std::vector<Case> all;
    std::vector<Triple> triples;
    for (VertexId i = 0; i < 700; ++i) {
        for (const VertexId hub : {3U, 4U, 60U}) {
            if (i != hub) triples.push_back({hub, i, 1.0F + 0.1F * static_cast<float>(i % 40)});
            triples.push_back({i, hub, 2.0F + 0.1F * static_cast<float>((i * 7) % 30)});
        }
        for (VertexId k = 1; k < 6; ++k)
            triples.push_back({i, (i * 37 + k * k * 11) % 700, 0.1F * static_cast<float>((i + k) % 50)});
    }
    const Graph both = build_graph(triples, 700, 700, {GraphShape::square, true, true});
    for (const EdgeId above : {25U, 300U, 5000U}) {
        BuildOptions build;
        build.hub_degree = above, build.item_blocks = 2, build.rank = 256;
        all.push_back({"core-tail", both, build_core_tail(both, build)});
    }
    BuildOptions passes;
    passes.hub_degree = 25, passes.item_blocks = 2, passes.rank = 256, passes.hub_passes = 4;
    all.push_back({"core-tail", both, build_core_tail(both, passes)});
    BuildOptions users;
    users.resident = Resident::users, users.item_blocks = 3, users.user_blocks = 8;
    all.push_back({"tiled", hubs(), build_tiled(hubs(), users)});
    return all;
}

}  // namespace

TEST_CASE("core-tail, and users on chip: within 1e-4 of serial double precision, same bits for any threads") {
    for (const Case& c : cases()) {
        const Strategy& strategy = find_strategy(c.strategy);
        for (const std::uint32_t rank : {4U, 16U, 64U, 100U}) {
            INFO(c.strategy << " with " << c.schedule.count(Level::phase) << " phases, rank " << rank);
            const Outcome cpu = run_sgd(c.graph, strategy, &c.schedule, two_sweeps(Device::cpu, rank));
            const Outcome serial =
                run_sgd(c.graph, strategy, &c.schedule, two_sweeps(Device::reference, rank));
            REQUIRE(relative_distance(cpu.factors.col, serial.factors.col) < 1e-4);
            REQUIRE(relative_distance(cpu.factors.row, serial.factors.row) < 1e-4);
            SgdOptions options = two_sweeps(Device::cpu, rank, 3);
            require_same(run_sgd(c.graph, strategy, &c.schedule, options), cpu);
            // What the biases leave stands in the values of the plan.
            options.form = ModelForm::biased;
            const Outcome biased = run_sgd(c.graph, strategy, &c.schedule, options);
            options.device = Device::reference;
            const Outcome exact = run_sgd(c.graph, strategy, &c.schedule, options);
            REQUIRE(relative_distance(biased.factors.col, exact.factors.col) < 1e-4);
        }
    }
}

TEST_CASE(
    "hub passes: near serial double precision, same bits for any threads, at every rank that has them") {
    const Graph graph = large_hubs();
    const Strategy& strategy = find_strategy("core-tail");
    const Schedule schedule = with_passes(graph, 4);
    for (const std::uint32_t rank : {10U, 16U, 20U, 64U}) {
        for (const RateSchedule rates : {RateSchedule::constant, RateSchedule::adaptive}) {
            INFO("rank " << rank);
            SgdOptions options = two_sweeps(Device::cpu, rank);
            options.rate_schedule = rates, options.learning_rate = 0.002;
            const Outcome cpu = run_sgd(graph, strategy, &schedule, options);
            options.threads = 3;
            require_same(run_sgd(graph, strategy, &schedule, options), cpu);
            options.device = Device::reference;
            const Outcome serial = run_sgd(graph, strategy, &schedule, options);
            REQUIRE(relative_distance(cpu.factors.col, serial.factors.col) < 1e-4);
            REQUIRE(relative_distance(cpu.factors.row, serial.factors.row) < 1e-4);
        }
    }
    // Where an edge keeps little of a vector its powers would be too small: passes are then stars as others.
    SgdOptions strong = two_sweeps(Device::cpu, 16);
    strong.learning_rate = 0.01, strong.regularisation = 90;
    const Outcome kept = run_sgd(graph, strategy, &schedule, strong);
    strong.device = Device::reference;
    REQUIRE(relative_distance(kept.factors.row, run_sgd(graph, strategy, &schedule, strong).factors.row) <
            1e-4);
}

#if defined(LOCKSTEP_HAS_CUDA)
TEST_CASE("hub passes: CPU and GPU agree bit for bit") {
    if (!gpu_or_skip()) return;
    const Graph graph = large_hubs();
    const Strategy& strategy = find_strategy("core-tail");
    const Schedule schedule = with_passes(graph, 4);
    for (const std::uint32_t rank : {10U, 16U, 20U, 64U}) {
        for (const RateSchedule rates : {RateSchedule::constant, RateSchedule::adaptive}) {
            for (const Storage storage : {Storage::fp32, Storage::fp16}) {
                INFO("rank " << rank);
                SgdOptions options = two_sweeps(Device::cpu, rank, 2);
                options.rate_schedule = rates, options.storage = storage;
                options.learning_rate = 0.002;
                const Outcome cpu = run_sgd(graph, strategy, &schedule, options);
                options.device = Device::cuda;
                for (int repeat = 0; repeat < 3; ++repeat)
                    require_same(run_sgd(graph, strategy, &schedule, options), cpu);
            }
        }
    }
}

TEST_CASE("core-tail, and users on chip: CPU and GPU agree bit for bit, on 20 repeats") {
    if (!gpu_or_skip()) return;
    for (const Case& c : cases()) {
        const Strategy& strategy = find_strategy(c.strategy);
        for (const std::uint32_t rank : {4U, 16U, 64U, 100U}) {
            for (const bool nonnegative : {false, true}) {
                for (const Storage storage : {Storage::fp32, Storage::fp16}) {
                    INFO(c.strategy << " with " << c.schedule.count(Level::phase) << " phases, rank "
                                    << rank);
                    SgdOptions options = two_sweeps(Device::cpu, rank, 2);
                    options.nonnegative = nonnegative, options.storage = storage;
                    const Outcome cpu = run_sgd(c.graph, strategy, &c.schedule, options);
                    options.device = Device::cuda;
                    for (int repeat = 0; repeat < (rank == 16 ? 20 : 1); ++repeat)
                        require_same(run_sgd(c.graph, strategy, &c.schedule, options), cpu);
                }
            }
        }
    }
}
#endif
