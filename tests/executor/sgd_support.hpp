// Runs SGD by strategy or in the serial order of a plan, and compares the results of runs.
#pragma once

#include <cmath>
#include <limits>
#include <span>

#include "apps/sgd/driver.hpp"
#include "apps/sgd/operator.hpp"
#include "apps/sgd/start.hpp"
#include "catch.hpp"
#include "executor_support.hpp"
#include "support.hpp"

namespace lockstep::sgd {

inline Outcome run(const Graph& graph, const Strategy& strategy, const SgdOptions& options) {
    const std::optional<Schedule> schedule = test::schedule_for(graph, strategy);
    return run_sgd(graph, strategy, schedule ? &*schedule : nullptr, options);
}

/// Returns options for two sweeps with a tenth of the edges held out.
inline SgdOptions two_sweeps(Device device, std::uint32_t rank, int threads = 1) {
    SgdOptions options;
    options.device = device;
    options.rank = rank;
    options.sweeps = 2;
    options.threads = threads;
    options.test_fraction = 0.1;
    return options;
}

/// Requires bitwise identical factors, and the same errors after the last sweep.
inline void require_same(const Outcome& found, const Outcome& expected) {
    REQUIRE(found.result_hash == expected.result_hash);
    for (const char* error : {"rmse_train", "rmse_test"})
        REQUIRE(found.sweeps.back().metric(error) == expected.sweeps.back().metric(error));
}

/// Returns |found - expected| / |expected|.
inline double relative_distance(std::span<const float> found, std::span<const float> expected) {
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        difference += std::pow(found[i] - expected[i], 2);
        norm += std::pow(expected[i], 2);
    }
    REQUIRE(norm > 0);
    return std::sqrt(difference / norm);
}

/// All lanes in one thread, without the wide registers that the CPU's backend may use. It is a type of its
/// own, since the tests are compiled without these registers.
template <int L>
struct PlainLanes : HostLanes<L> {};

/// Returns the hash of the factors after the sweeps of `options`, each of which is a call of `sweep(plan,
/// operator)`.
template <class Element, class Sweep>
std::string hash_after(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                       const SgdOptions& options, Sweep sweep) {
    const std::vector<bool> held_out = hold_out(graph.edges(), options.test_fraction, options.seed);
    const EdgePlan plan =
        make_plan(graph, strategy, schedule, Endpoints::both, held_out, options.phase_order);
    double sum = 0;
    for (EdgeId e = 0; e < graph.edges(); ++e) sum += held_out[e] ? 0 : graph.weight(e);
    const Factors initial = initial_factors(graph.rows, graph.cols, options.rank,
                                            sum / static_cast<double>(plan.edges()), options.seed);
    auto row = narrow_factors<Array<Element>>(initial.row, options.rank),
         col = narrow_factors<Array<Element>>(initial.col, options.rank);
    with_lanes(options.rank, [&]<int Lanes, int Chunks>() {
        for (std::uint64_t t = 0; t < options.sweeps; ++t) {
            const double rate = learning_rate(options, t);
            sweep(plan, SgdOperator<PlainLanes<Lanes>, Chunks, false, false, Element>{
                            {},
                            row.data(),
                            col.data(),
                            static_cast<int>(chunks_of(options.rank)),
                            static_cast<float>(rate),
                            static_cast<float>(1 - rate * options.regularisation),
                            -std::numeric_limits<float>::infinity()});
        }
    });
    Factors factors;
    widen_factors(row, options.rank, factors.row), widen_factors(col, options.rank, factors.col);
    return hash_of(factors, options.rank);
}

}  // namespace lockstep::sgd
