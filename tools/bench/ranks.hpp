// Repeated runs of PageRank with one plan, for the parts of lockstep-bench that time it.
#pragma once

#include <omp.h>

#include <cmath>
#include <utility>
#include <vector>

#include "apps/frame/arcs.hpp"
#include "apps/pagerank.hpp"
#include "cli.hpp"

namespace lockstep::bench {

using Ranks = arc::Runner<float, pagerank::Round>;

/// Returns a runner of PageRank on the device, with the strategy's own operator.
inline Ranks ranks_by(const Strategy& strategy, const ArcPlan& plan, Device device,
                      const pagerank::Parameters& parameters, std::uint64_t rounds) {
    const auto run = [&](const auto& op) { return arc_runner(device, plan, op, omp_get_max_threads()); };
    return pagerank::run_operator(strategy, parameters, rounds, arcs_of(plan), run);
}

/// Returns the L1 distance of two vectors.
inline double distance(const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0;
    for (std::size_t v = 0; v < a.size(); ++v) sum += std::fabs(double{a[v]} - double{b[v]});
    return sum;
}

/// Times up to `runs` runs and returns the seconds of each. If, extrapolating from the first run, all runs
/// would take more than `all_within` seconds, stops when the runs add up to `enough` seconds. Calls `each`
/// with the scores of every run.
template <class Each>
std::vector<double> timed(const Ranks& ranks, int runs, double enough, Each each, double all_within = 0) {
    std::vector<double> seconds;
    for (double sum = 0;
         std::cmp_less(seconds.size(), runs) && (sum < enough || runs * seconds.front() <= all_within);
         sum += seconds.back()) {
        cli::check_signal();
        each(ranks.run([](const pagerank::Round&) { return true; }, &seconds.emplace_back()));
    }
    return seconds;
}

}  // namespace lockstep::bench
