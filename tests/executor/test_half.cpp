// Tests of half precision (fp16): conversions against their definition, and SGD with factors stored in it.
#include <cmath>
#include <limits>

#include "lockstep/executor/edge/execute.hpp"
#include "sgd_support.hpp"

using namespace lockstep;
using namespace lockstep::sgd;
using namespace lockstep::test;

namespace {

/// Returns the value of bits, by the definition of binary16.
double value_of(unsigned bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double magnitude =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    return bits >> 15 ? -magnitude : magnitude;
}

const std::vector<std::uint32_t> ranks{1, 3, 4, 7, 8, 12, 16, 17, 20, 32, 64, 100, 128, 129, 256};

SgdOptions half_on(Device device, std::uint32_t rank, std::uint64_t sweeps = 2) {
    SgdOptions options;
    options.device = device;
    options.rank = rank;
    options.sweeps = sweeps;
    options.storage = Storage::fp16;
    options.test_fraction = 0.1;
    return options;
}

/// Returns the hash of the factors after the sweeps of `options`, computed one component at a time.
template <class Element>
std::string plain_hash(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                       const SgdOptions& options) {
    return hash_after<Element>(graph, strategy, schedule, options, [&](const EdgePlan& plan, const auto& op) {
        cpu::Locks locks(plan);
        cpu::execute(plan, op, locks, 1);
    });
}

}  // namespace

TEST_CASE("every half widens to its value, and comes back") {
    for (unsigned bits = 0; bits < 1 << 16; ++bits) {
        const Half half{static_cast<std::uint16_t>(bits)};
        const float wide = to_float(half);
        if ((bits & 0x7fff) > 0x7c00) {
            REQUIRE(std::isnan(wide));
            REQUIRE(std::isnan(to_float(to_half(wide))));
            continue;
        }
        const bool infinite = (bits & 0x7fff) == 0x7c00;
        REQUIRE((infinite ? std::isinf(wide) : wide == value_of(bits)));
        REQUIRE(std::signbit(wide) == bits >> 15);
        REQUIRE(to_half(wide).bits == bits);
    }
}

TEST_CASE("floats are rounded to the nearest half, ties to the even one") {
    const auto check = [](float x, unsigned expected) {
        INFO(x);
        REQUIRE(to_half(x).bits == expected);
        REQUIRE(to_half(-x).bits == (expected | 0x8000));
    };
    for (unsigned bits = 0; bits + 1 < 0x7c00; ++bits) {
        const double low = value_of(bits), high = value_of(bits + 1);
        const float middle = static_cast<float>((low + high) / 2);  // the mean is exact
        check(middle, bits % 2 ? bits + 1 : bits);
        check(std::nextafter(middle, 0.0F), bits);
        check(std::nextafter(middle, 1e9F), bits + 1);
    }
    check(65519.996F, 0x7bff);
    check(65520, 0x7c00);
    check(1e30F, 0x7c00);
    check(std::numeric_limits<float>::infinity(), 0x7c00);
    check(std::numeric_limits<float>::denorm_min(), 0);
}

TEST_CASE(
    "half precision: the same bits component by component, on wide registers and for any number of threads") {
    const Graph graph = hubs();
    for (const Strategy& strategy : strategies()) {
        if (!strategy.deterministic()) continue;
        BuildOptions build = small_build();
        build.item_blocks = 3, build.user_blocks = 8;
        const std::optional<Schedule> schedule = schedule_for(graph, strategy, build);
        for (const std::uint32_t rank : ranks) {
            INFO(strategy.name << ", rank " << rank);
            SgdOptions options = half_on(Device::cpu, rank);
            const std::string plain = plain_hash<Half>(graph, strategy, &*schedule, options);
            for (const int threads : {1, 3}) {
                options.threads = threads;
                REQUIRE(run_sgd(graph, strategy, &*schedule, options).result_hash == plain);
            }
            options.storage = Storage::fp32;
            const std::string single = run_sgd(graph, strategy, &*schedule, options).result_hash;
            REQUIRE(single == plain_hash<float>(graph, strategy, &*schedule, options));
            REQUIRE(single != plain);
        }
    }
}

TEST_CASE("factors stored in half precision are halves, and near those of serial double precision") {
    const Graph graph = hubs();
    for (const Strategy& strategy : strategies()) {
        for (const std::uint32_t rank : {1U, 16U, 100U}) {
            INFO(strategy.name << ", rank " << rank);
            SgdOptions options = half_on(Device::cpu, rank, 5);
            options.threads = 1;
            const Outcome half = run(graph, strategy, options);
            options.device = Device::reference;
            const Outcome reference = run(graph, strategy, options);
            for (const float x : half.factors.row) REQUIRE(to_float(to_half(x)) == x);
            for (const float x : half.factors.col) REQUIRE(to_float(to_half(x)) == x);
            REQUIRE(*half.sweeps.back().metric("rmse_train") ==
                    Approx(*reference.sweeps.back().metric("rmse_train")).epsilon(2e-3));
            REQUIRE(*half.sweeps.back().metric("rmse_test") ==
                    Approx(*reference.sweeps.back().metric("rmse_test")).epsilon(2e-3));
        }
    }
}

TEST_CASE("half precision: factors beyond its range are seen as divergence") {
    SgdOptions options = half_on(Device::cpu, 8, 50);
    options.learning_rate = 3;
    const Outcome outcome = run(hubs(), find_strategy("tiled"), options);
    CHECK(outcome.status == "diverged");
    for (const float x : outcome.factors.row) REQUIRE(std::isfinite(x));
}

#if defined(LOCKSTEP_HAS_CUDA)
TEST_CASE("half precision: CPU and GPU agree bit for bit on every offline schedule and rank") {
    if (!gpu_or_skip()) return;
    const Graph graph = hubs();
    for (const Strategy& strategy : strategies()) {
        if (!strategy.deterministic()) continue;
        // The two pairs give tiles with long stars, and many small tiles.
        for (const auto& [items, users] : {std::pair{3U, 8U}, {40U, 80U}}) {
            if (items == 40 && strategy.walk != TiledPlan::facts) continue;
            BuildOptions build = small_build();
            build.item_blocks = items, build.user_blocks = users;
            const std::optional<Schedule> schedule = schedule_for(graph, strategy, build);
            for (const std::uint32_t rank : ranks) {
                INFO(strategy.name << ", " << items << " x " << users << ", rank " << rank);
                SgdOptions options = half_on(Device::cpu, rank);
                options.threads = 2;
                options.nonnegative = rank % 2 || rank == 20;
                const Outcome cpu = run_sgd(graph, strategy, &*schedule, options);
                options.device = Device::cuda;
                const Outcome gpu = run_sgd(graph, strategy, &*schedule, options);
                require_same(gpu, cpu);
            }
        }
    }
}

TEST_CASE(
    "half precision: online modes on the GPU process every edge exactly once a sweep and learn as the "
    "reference") {
    if (!gpu_or_skip()) return;
    const Graph graph = random_graph(2000, 1500, 60000, 5);
    for (const Strategy& strategy : strategies()) {
        if (strategy.deterministic()) continue;
        for (const std::uint32_t rank : {4U, 16U, 129U}) {
            INFO(strategy.name << ", rank " << rank);
            const Outcome gpu = run(graph, strategy, half_on(Device::cuda, rank, 3));
            const Outcome reference = run(graph, strategy, half_on(Device::reference, rank, 3));
            for (const SweepRecord& sweep : gpu.sweeps) REQUIRE(sweep.updates == gpu.train_edges);
            if (strategy.races()) continue;  // lost updates on so small a graph allow no bound
            REQUIRE(*gpu.sweeps.back().metric("rmse_train") ==
                    Approx(*reference.sweeps.back().metric("rmse_train")).epsilon(0.05));
        }
    }
}
#endif
