// PageRank, from a schedule file's contents to ranks; its yardstick and the proof of a result: serial double
// precision, pushed along the rows of the graph, which shares no code with the walks or the operator.
#pragma once

#include "apps/frame/arc_check.hpp"
#include "apps/frame/arcs.hpp"
#include "apps/pagerank/operator.hpp"

namespace lockstep::pagerank {

struct PageRankOptions : ArcOptions, Parameters {};
/// Throws Error (usage) on options that cannot be.
void check_options(const PageRankOptions& options);

using Outcome = ArcOutcome<Round>;
/// Runs; throws as check_options and run_arcs.
Outcome run_pagerank(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                     const PageRankOptions& options, const RunCallbacks& callbacks = {});

/// Rounds of equation 1 of the source from equal ranks, until `on_round` (which may be missing) returns
/// false, given the L1 distance of the last two. O(rounds (arcs + vertices)).
std::vector<double> reference_ranks(const Graph& graph, const Parameters& parameters,
                                    const std::function<bool(const Round&)>& on_round = {});

/// How far ranks are from those of the reference.
struct Check : ArcCheck {
    double residual = 0;  ///< L1 distance to one more step
};
/// By how much the rounding of sums of floats can put each rank off after so many rounds, whatever the order
/// of additions: a sum of k numbers above 0 is off by at most k u / (1 - k u) of it, u = 2^-24 (Higham,
/// Accuracy and Stability of Numerical Algorithms, section 4.2), and passes on what its terms were off by.
/// O(rounds arcs), serial.
std::vector<double> rounding_bounds(const Graph& graph, std::uint64_t rounds, const Parameters& parameters);
/// `ranks` by vertex, after `rounds` rounds. Good is what check_values says, with the bounds above for sums of
/// floats, and, with dangling ranks spread, a sum within 1e-6 of 1, likewise. O(rounds arcs), serial.
Check check_ranks(const Graph& graph, const std::vector<float>& ranks, std::uint64_t rounds,
                  const Parameters& parameters);

/// Whether a run with `until` has ended because the ranks are stable.
inline bool is_stable(const Outcome& outcome) {
    return !outcome.rounds.empty() && outcome.rounds.back().changed == 0 && outcome.status == "ok";
}
/// `ranks` with `until`: good is when one step of the reference changes none by more than that share of it
/// (and 2e-6 for rounding), and their sum is 1 within that. O(arcs), serial.
Check check_stable(const Graph& graph, const std::vector<float>& ranks, const Parameters& parameters);

}  // namespace lockstep::pagerank
