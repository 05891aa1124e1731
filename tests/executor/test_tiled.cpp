// Tests of the tiled walk with long stars: the batches equal the sequential updates, and results are bitwise
// identical on all devices.
#include <algorithm>
#include <array>
#include <bit>

#include "lockstep/executor/edge/tiled/layout.hpp"
#include "sgd_support.hpp"

using namespace lockstep;
using namespace lockstep::sgd;
using namespace lockstep::test;

namespace {

const std::vector<std::uint32_t> ranks{1, 4, 8, 16, 17, 32, 64, 100, 128, 256};

}  // namespace

TEST_CASE("long stars in batches stay within 1e-4 of serial double precision") {
    const Graph graph = hubs();
    const Strategy& strategy = find_strategy("tiled");
    for (const auto& [items, users, groups] :
         {std::array{1U, 2U, 1U}, {3U, 8U, 1U}, {2U, 6U, 3U}, {1U, 2U, 4U}}) {
        const Schedule schedule = tiles(graph, items, users, groups);
        for (const std::uint32_t rank : ranks) {
            INFO(items << " x " << users << ", " << groups << " groups, rank " << rank);
            const Outcome cpu = run_sgd(graph, strategy, &schedule, two_sweeps(Device::cpu, rank));
            const Outcome serial = run_sgd(graph, strategy, &schedule, two_sweeps(Device::reference, rank));
            REQUIRE(relative_distance(cpu.factors.col, serial.factors.col) < 1e-4);
            REQUIRE(*cpu.sweeps[1].metric("rmse_train") ==
                    Approx(*serial.sweeps[1].metric("rmse_train")).epsilon(1e-4));
        }
    }
}

TEST_CASE("the streams of tiles hold the plan's edges, whichever tiles are made at a time") {
    const Graph graph = hubs();
    std::vector<bool> held_out(graph.edges());
    for (EdgeId e = 0; e < graph.edges(); e += 5) held_out[e] = true;
    for (const VertexId groups : {1U, 3U}) {
        const Schedule schedule = tiles(graph, 3, 8, groups);
        const EdgePlan plan = make_plan(graph, find_strategy("tiled"), &schedule, Endpoints::both, held_out);
        const TiledLayout layout(plan, std::get<TiledPlan>(plan.walk), 64);
        const TiledSizes& sizes = layout.sizes();
        const EdgeId count = sizes.grid.tiles();
        std::vector<std::uint32_t> words(sizes.words()), in_parts(sizes.words(), 7);
        layout.write(0, count, words.data());
        for (EdgeId first = 0; first < count; first += 5)
            layout.write(first, std::min(first + 5, count), in_parts.data() + sizes.tile_words[first]);
        CHECK(in_parts == words);

        TiledEdges of = layout.edges();
        layout.write(0, count, in_parts.data(), &of);
        CHECK(in_parts == words);
        std::vector<float> found;
        bool in_place = true;
        for (EdgeId i = 0; i < count; ++i) {
            const std::uint32_t* const tile = words.data() + sizes.tile_words[i];
            const std::uint32_t *const stars = tile + (tile[0] >> 16), *const pairs = tile + tile[2];
            for (std::uint32_t star = 0; star < tile[4 + tile[1]]; ++star) {
                const std::uint32_t first = stars[2 * star] & 0xffff, edges = stars[2 * star] >> 16;
                const EdgeId edge = of.tile_edges[i] + of.star_edges[of.tile_stars[i] + star];
                for (std::uint32_t e = 0; e < edges; ++e) {
                    found.push_back(std::bit_cast<float>(pairs[4 * (first + e / 2) + 2 + e % 2]));
                    in_place = in_place && found.back() == plan.value[edge + e];
                }
            }
        }
        std::vector<float> wanted(plan.value.begin(), plan.value.end());
        std::ranges::sort(found), std::ranges::sort(wanted);
        CHECK(found == wanted);
        CHECK(in_place);
    }
}

TEST_CASE("tiles give the same bits for any number of threads, clipped or not") {
    const Graph graph = hubs();
    for (const VertexId groups : {1U, 3U}) {
        const Schedule schedule = tiles(graph, 3, 8, groups);
        for (const std::uint32_t rank : {4U, 16U, 100U}) {
            for (const bool nonnegative : {false, true}) {
                SgdOptions options = two_sweeps(Device::cpu, rank);
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
TEST_CASE("tiles with long stars: CPU and GPU agree bit for bit, on repeats") {
    if (!gpu_or_skip()) return;
    const Graph graph = hubs();
    for (const auto& [items, users, groups] :
         {std::array{1U, 4U, 1U}, {3U, 8U, 1U}, {40U, 80U, 1U}, {1U, 2U, 4U}, {3U, 8U, 5U}}) {
        const Schedule schedule = tiles(graph, items, users, groups);
        for (const std::uint32_t rank : ranks) {
            for (const bool nonnegative : {false, true}) {
                INFO(items << " x " << users << ", " << groups << " groups, rank " << rank
                           << (nonnegative ? ", clipped" : ""));
                SgdOptions options = two_sweeps(Device::cpu, rank, 2);
                options.nonnegative = nonnegative;
                // Larger ranks do not fit in shared memory.
                if (rank > (items * groups == 1 ? 64U : items * groups <= 4 ? 128U : 256U)) continue;
                const Outcome cpu = run_sgd(graph, find_strategy("tiled"), &schedule, options);
                options.device = Device::cuda;
                for (int repeat = 0; repeat < (items == 3 && groups == 1 ? 3 : 1); ++repeat) {
                    const Outcome gpu = run_sgd(graph, find_strategy("tiled"), &schedule, options);
                    require_same(gpu, cpu);
                }
            }
        }
    }
}

/// Returns the minimum device memory with which a run is not refused, to within a page.
EdgeId min_memory(const Graph& graph, const Schedule& schedule, SgdOptions options) {
    EdgeId least = 0, most = run_sgd(graph, find_strategy("tiled"), &schedule, options).device_bytes;
    while (most - least > 4096) {
        options.device_memory = (least + most) / 2;
        try {
            const Outcome outcome = run_sgd(graph, find_strategy("tiled"), &schedule, options);
            REQUIRE(outcome.device_bytes <= options.device_memory * static_cast<EdgeId>(options.gpus));
            most = options.device_memory;
        } catch (const Error& error) {  // the memory is too small for the factors, or for two phases
            REQUIRE(error.failure() == Failure::no_device);
            least = options.device_memory;
        }
    }
    return most;
}

TEST_CASE("tiles streamed from the host give the bits of those on the device") {
    if (!gpu_or_skip()) return;
    const Graph graph = hubs();
    for (const VertexId groups : {1U, 3U}) {
        const Schedule schedule = tiles(graph, 3, 12, groups);
        for (const std::uint32_t rank : {16U, 100U}) {
            SgdOptions options = two_sweeps(Device::cuda, rank);
            options.sweeps = 3;
            const Outcome resident = run_sgd(graph, find_strategy("tiled"), &schedule, options);
            CHECK(resident.streaming.bytes == 0);
            const EdgeId least = min_memory(graph, schedule, options);
            for (const EdgeId memory : {least, (least + resident.device_bytes) / 2}) {
                INFO(groups << " groups, rank " << rank << ", " << memory << " bytes");
                options.device_memory = memory;
                const Outcome outcome = run_sgd(graph, find_strategy("tiled"), &schedule, options);
                if (memory == least) CHECK(outcome.streaming.bytes > 0);
                require_same(outcome, resident);
            }
        }
    }
}

TEST_CASE("several GPUs give the bits of one and of the CPU, on every repeat, streamed or not") {
    const auto there = [](int gpus, std::string* reason) {
        try {
            require_gpus(gpus);
            return true;
        } catch (const Error& error) {
            *reason = error.what();
            return false;
        }
    };
    std::string reason;
    if (!there(2, &reason)) return skip(reason);
    const Graph graph = hubs();
    for (const int gpus : {2, 4}) {
        if (!there(gpus, &reason)) break;
        for (const auto& [items, users, groups] : {std::array{2U, 6U, 4U}, {3U, 8U, 5U}}) {
            const Schedule schedule = tiles(graph, items, users, groups);
            for (const std::uint32_t rank : groups == 4 ? std::vector{16U} : std::vector{4U, 64U}) {
                INFO(gpus << " GPUs, " << groups << " groups, rank " << rank);
                SgdOptions options = two_sweeps(Device::cpu, rank, 2);
                const Outcome cpu = run_sgd(graph, find_strategy("tiled"), &schedule, options);
                options.device = Device::cuda;
                CHECK(run_sgd(graph, find_strategy("tiled"), &schedule, options).result_hash ==
                      cpu.result_hash);
                options.gpus = gpus;
                const EdgeId least = groups == 4 ? min_memory(graph, schedule, options) : 0;
                for (std::uint64_t repeat = 0; repeat < 6; ++repeat) {
                    options.evaluate_every = 1 + repeat % 2;
                    options.device_memory = repeat < 3 ? 0 : least;
                    const Outcome several = run_sgd(graph, find_strategy("tiled"), &schedule, options);
                    REQUIRE((several.streaming.bytes > 0) == (options.device_memory > 0));
                    require_same(several, cpu);
                }
            }
        }
    }
}
#endif

TEST_CASE("GPUs that would have nothing to do are refused") {
    const Graph graph = hubs();
    const Schedule schedule = tiles(graph, 3, 8);
    SgdOptions options = two_sweeps(Device::cpu, 16);
    options.gpus = 2;
    CHECK_THROWS_AS(run_sgd(graph, find_strategy("tiled"), &schedule, options), Error);
    options.device = Device::automatic;
    // The schedule has one group.
    CHECK_THROWS_AS(run_sgd(graph, find_strategy("tiled"), &schedule, options), Error);
    CHECK_THROWS_WITH(run_sgd(graph, find_strategy("el"), nullptr, options), Catch::Contains("one GPU"));
    options.gpus = 0;
    CHECK_THROWS_WITH(run_sgd(graph, find_strategy("tiled"), &schedule, options), Catch::Contains("GPUs"));
}
