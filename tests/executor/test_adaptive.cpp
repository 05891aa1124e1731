// Adaptive rates: a share of 1 for all is one rate, to the bit, shares of their own are what double precision
// makes of them, and the bits are the same on any device.
#include "apps/sgd/shares_apart.hpp"
#include "lockstep/executor/edge/tiled/memory.hpp"
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

void check_near(const Outcome& found, const Outcome& exact, Storage storage) {
    const double near = storage == Storage::fp32 ? 1e-4 : 0.05;
    CHECK(relative_distance(found.factors.row, exact.factors.row) < near);
    CHECK(relative_distance(found.factors.col, exact.factors.col) < near);
}

}  // namespace

TEST_CASE("adaptive rates: one rate where the decay is 0, any number of threads, near double precision") {
    const Graph graph = random_graph(150, 60, 1500, 5);
    for (const Strategy& strategy : strategies()) {
        if (!strategy.deterministic()) continue;
        const Outcome exact = run(graph, strategy, adaptive_on(Device::reference, 10));
        for (const Storage storage : {Storage::fp32, Storage::fp16}) {
            INFO(strategy.name << ", " << to_string(storage));
            SgdOptions options = adaptive_on(Device::cpu, 10, storage);
            const Outcome found = run(graph, strategy, options);
            check_near(found, exact, storage);
            options.threads = 2;
            require_same(run(graph, strategy, options), found);
            options.decay = 0;
            const Outcome alike = run(graph, strategy, options);
            CHECK(alike.result_hash != found.result_hash);
            options.rate_schedule = RateSchedule::constant;
            require_same(run(graph, strategy, options), alike);
        }
    }
}

TEST_CASE("adaptive rates of long stars: by maps, four edges at a time, relaxed, at or above zero") {
    const Graph graph = hubs();
    const Strategy& strategy = find_strategy("tiled");
    const Schedule schedule = tiles(graph, 3, 8);
    for (const std::uint32_t rank : {16U, 50U, 100U}) {
        const Outcome exact = run_sgd(graph, strategy, &schedule, adaptive_on(Device::reference, rank));
        for (const Storage storage : {Storage::fp32, Storage::fp16}) {
            INFO("rank " << rank << ", " << to_string(storage));
            SgdOptions options = adaptive_on(Device::cpu, rank, storage);
            const Outcome found = run_sgd(graph, strategy, &schedule, options);
            check_near(found, exact, storage);
            options.decay = 0;
            const Outcome alike = run_sgd(graph, strategy, &schedule, options);
            options.rate_schedule = RateSchedule::constant;
            require_same(run_sgd(graph, strategy, &schedule, options), alike);
            if (rank != 16) continue;
            options = adaptive_on(Device::cpu, rank, storage);
            options.relaxed_hubs = true;
            CHECK(run_sgd(graph, strategy, &schedule, options).result_hash != found.result_hash);
            options.relaxed_hubs = false, options.nonnegative = true;
            const Outcome nonnegative = run_sgd(graph, strategy, &schedule, options);
            options.device = Device::reference;
            check_near(nonnegative, run_sgd(graph, strategy, &schedule, options), storage);
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

TEST_CASE("adaptive rates stay on one device") {
    SgdOptions options = adaptive_on(Device::cpu, 16);
    options.gpus = 2;
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
                for (const bool nonnegative : {false, true}) {
                    if (nonnegative && rank != 16) continue;
                    SgdOptions on_gpu = adaptive_on(Device::cuda, rank, storage),
                               on_cpu = adaptive_on(Device::cpu, rank, storage);
                    on_gpu.nonnegative = on_cpu.nonnegative = nonnegative;
                    require_same(run(graph, strategy, on_gpu), run(graph, strategy, on_cpu));
                }
            }
        }
    }
}

TEST_CASE("adaptive rates of long stars: CPU and GPU agree bit for bit") {
    if (!gpu_or_skip()) return;
    const Graph graph = hubs();
    const Strategy& strategy = find_strategy("tiled");
    const Schedule schedule = tiles(graph, 3, 8);
    for (const std::uint32_t rank : {8U, 16U, 33U, 64U, 128U}) {
        for (const Storage storage : {Storage::fp32, Storage::fp16}) {
            for (const bool relaxed : {false, true}) {
                if (relaxed && rank != 33) continue;
                INFO("rank " << rank << ", " << to_string(storage) << (relaxed ? ", relaxed" : ""));
                SgdOptions on_gpu = adaptive_on(Device::cuda, rank, storage),
                           on_cpu = adaptive_on(Device::cpu, rank, storage);
                on_gpu.relaxed_hubs = on_cpu.relaxed_hubs = relaxed;
                require_same(run_sgd(graph, strategy, &schedule, on_gpu),
                             run_sgd(graph, strategy, &schedule, on_cpu));
            }
        }
    }
}
#endif

TEST_CASE(
    "shares of the rate on chip: a byte of a vector leads to the vector's own, rows' begin at 16 bytes") {
    for (std::uint32_t apart = 16; apart <= 1024; apart += 16) {
        for (const std::uint32_t first : {0U, 1024U, 5 * apart}) {
            SharesApart shares{};
            shares.come_on_chip(first, apart, 512);
            bool right = true;
            for (std::uint32_t place = 0; (place + 1) * apart <= 1U << 18; ++place) {
                const std::uint32_t begin = first + place * apart;
                for (const std::uint32_t byte : {begin, begin + apart - 1})
                    right = right && shares.address_of(byte) == 512 + 4 * place;
            }
            CHECK(right);
        }
    }
    for (int sizes = 0; sizes < 64; ++sizes) {
        gpu::TiledView view{};
        view.most_cols = sizes % 8 + 1, view.most_rows = sizes / 8 + 1, view.stride = 12,
        view.own_rates = true;
        const gpu::tiled::Map map(view, 52);
        for (const int buffer : {0, 1}) {
            const int shares = map.row_shares(view.most_cols, buffer);
            CHECK(shares % 4 == 0);
            CHECK((map.rows_at + buffer * map.row_words) / view.stride == shares - map.shares_at);
            CHECK(shares + view.most_rows <= map.end);
        }
    }
}
