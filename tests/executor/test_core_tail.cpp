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

#if defined(LOCKSTEP_HAS_CUDA)
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
