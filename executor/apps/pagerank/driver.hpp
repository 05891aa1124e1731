// Runs PageRank on the contents of a schedule file, computes reference ranks, and verifies results. The
// reference is serial, in double precision, pushes along the rows of the graph, and shares no code with the
// walks or the operator.
#pragma once

#include "apps/frame/arcs.hpp"
#include "apps/frame/iteration_fwd.hpp"
#include "apps/pagerank.hpp"

namespace lockstep::pagerank {

struct PageRankOptions : ArcOptions, Parameters {};
/// Throws Error (usage) if the options are impossible.
void check_options(const PageRankOptions& options);

using Outcome = ArcOutcome<Round>;
/// Runs PageRank. Throws as check_options() and run_arcs().
Outcome run_pagerank(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                     const PageRankOptions& options, const RunCallbacks& callbacks = {});

/// Returns the ranks after rounds of equation 1 of the paper, which begin with equal ranks. `on_round`
/// (optional) receives the L1 distance of the last two rounds, and ends the rounds by returning false.
/// O(rounds (arcs + vertices)).
std::vector<double> reference_ranks(const Graph& graph, const Parameters& parameters,
                                    const std::function<bool(const Round&)>& on_round = {});

/// The distance of ranks from those of the reference.
struct Check : ArcCheck {
    double residual = 0;  ///< L1 distance from the ranks after one more step
};
/// Returns a bound for each rank on the error that rounding of float sums can cause in this number of rounds,
/// with any order of additions. A sum of k positive numbers has a relative error of at most k u / (1 - k u),
/// u = 2^-24 (Higham, Accuracy and Stability of Numerical Algorithms, section 4.2), and inherits the errors
/// of its terms. O(rounds arcs), serial.
std::vector<double> rounding_bounds(const Graph& graph, std::uint64_t rounds, const Parameters& parameters);
/// Checks the ranks of all vertices after `rounds` rounds with check_values(), to which sums of floats add
/// the bounds above. If dangling ranks are spread, the sum of all ranks must be within 1e-6 of 1, plus these
/// bounds. O(rounds arcs), serial.
Check check_ranks(const Graph& graph, const std::vector<float>& ranks, std::uint64_t rounds,
                  const Parameters& parameters);

/// Returns whether a run with `until` has ended because the ranks are stable.
inline bool is_stable(const Outcome& outcome) {
    return !outcome.rounds.empty() && outcome.rounds.back().changed == 0 && outcome.status == "ok";
}
/// Checks the ranks of a run with `until`: one step of the reference must change no rank by more than this
/// relative amount (plus 2e-6 for rounding). If dangling ranks are spread, the sum of all ranks must be
/// within that amount / (1 - damping) of 1. O(arcs), serial.
Check check_stable(const Graph& graph, const std::vector<float>& ranks, const Parameters& parameters);

}  // namespace lockstep::pagerank
