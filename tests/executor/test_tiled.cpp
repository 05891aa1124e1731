// The tiled traversal with long stars: the batches are the sequential updates, and the same bits everywhere.
#include <array>
#include <cmath>

#include "apps/sgd/driver.hpp"
#include "catch.hpp"
#include "executor_support.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::sgd;
using namespace lockstep::test;

namespace {

/// Two items that every user rates, and some that few do; and a user who rates every item.
Graph hubs() {
    std::vector<Triple> triples;
    for (VertexId u = 0; u < 900; ++u) {
        for (VertexId v = 0; v < 120; ++v) {
            if (v == 7 || v == 50 || u == 11 || (u * 31 + v * 17) % 41 == 0)
                triples.push_back({u, v, 1.0F + 0.1F * static_cast<float>((u * 7 + v * 13) % 40)});
        }
    }
    return build_graph(triples, 900, 120, {GraphShape::bipartite, true, true});
}

Schedule tiles(const Graph& graph, VertexId items, VertexId users, VertexId groups = 1) {
    BuildOptions options;
    options.groups = groups;
    options.item_blocks = items;
    options.user_blocks = users;
    return build_tiled(graph, options);
}

SgdOptions options_for(Device device, std::uint32_t rank, int threads = 1) {
    SgdOptions options;
    options.device = device;
    options.rank = rank;
    options.sweeps = 2;
    options.threads = threads;
    options.test_fraction = 0.1;
    return options;
}

const std::vector<std::uint32_t> ranks{1, 4, 8, 16, 17, 32, 64, 100, 128, 256};

}  // namespace

TEST_CASE("long stars in batches stay within 1e-4 of serial double precision") {
    const Graph graph = hubs();
    const Strategy& strategy = find_strategy("tiled");
    for (const auto& [items, users, groups] : {std::array{1U, 2U, 1U}, {3U, 7U, 1U}, {2U, 5U, 3U}, {1U, 2U, 4U}}) {
        const Schedule schedule = tiles(graph, items, users, groups);
        for (const std::uint32_t rank : ranks) {
            INFO(items << " x " << users << ", " << groups << " groups, rank " << rank);
            const Outcome cpu = run_sgd(graph, strategy, &schedule, options_for(Device::cpu, rank));
            const Outcome serial = run_sgd(graph, strategy, &schedule, options_for(Device::reference, rank));
            double difference = 0, norm = 0;
            for (std::size_t i = 0; i < cpu.factors.col.size(); ++i) {
                difference += std::pow(cpu.factors.col[i] - serial.factors.col[i], 2);
                norm += std::pow(serial.factors.col[i], 2);
            }
            REQUIRE(std::sqrt(difference / norm) < 1e-4);
            REQUIRE(cpu.sweeps[1].rmse_train == Approx(serial.sweeps[1].rmse_train).epsilon(1e-4));
        }
    }
}

TEST_CASE("tiles give the same bits for any number of threads, clipped or not") {
    const Graph graph = hubs();
    for (const VertexId groups : {1U, 3U}) {
        const Schedule schedule = tiles(graph, 3, 7, groups);
        for (const std::uint32_t rank : {4U, 16U, 100U}) {
            for (const bool nonnegative : {false, true}) {
                SgdOptions options = options_for(Device::cpu, rank);
                options.nonnegative = nonnegative;
                const Outcome once = run_sgd(graph, find_strategy("tiled"), &schedule, options);
                for (const int threads : {2, 4}) {
                    options.threads = threads;
                    REQUIRE(run_sgd(graph, find_strategy("tiled"), &schedule, options).result_hash ==
                            once.result_hash);
                }
            }
        }
    }
}

#if defined(LOCKSTEP_HAS_CUDA)
TEST_CASE("tiles with long stars: CPU and GPU agree bit for bit, on every repeat") {
    if (!gpu_or_skip()) return;
    const Graph graph = hubs();
    for (const auto& [items, users, groups] :
         {std::array{1U, 4U, 1U}, {3U, 7U, 1U}, {40U, 80U, 1U}, {1U, 2U, 4U}, {3U, 7U, 5U}}) {
        const Schedule schedule = tiles(graph, items, users, groups);
        for (const std::uint32_t rank : ranks) {
            for (const bool nonnegative : {false, true}) {
                INFO(items << " x " << users << ", " << groups << " groups, rank " << rank
                           << (nonnegative ? ", clipped" : ""));
                SgdOptions options = options_for(Device::cpu, rank, 2);
                options.nonnegative = nonnegative;
                // Would not fit on chip.
                if (rank > (items * groups == 1 ? 64U : items * groups <= 4 ? 128U : 256U)) continue;
                const Outcome cpu = run_sgd(graph, find_strategy("tiled"), &schedule, options);
                options.device = Device::cuda;
                for (int repeat = 0; repeat < 3; ++repeat) {
                    const Outcome gpu = run_sgd(graph, find_strategy("tiled"), &schedule, options);
                    REQUIRE(gpu.result_hash == cpu.result_hash);
                    REQUIRE(gpu.sweeps.back().rmse_test == cpu.sweeps.back().rmse_test);
                }
            }
        }
    }
}
#endif
