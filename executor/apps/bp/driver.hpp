// Runs belief propagation on the contents of a schedule file, and has a serial reference in double precision.
#pragma once

#include "apps/bp.hpp"
#include "apps/frame/arcs.hpp"

namespace lockstep::bp {

struct BeliefOptions : ArcOptions {
    std::uint64_t rounds = 20;
};

using Outcome = ArcOutcome<Round>;
/// Runs belief propagation. Throws as check_options() and run_arcs(), and Error (bad_input) if
/// refused_likelihood() finds an edge.
Outcome run_beliefs(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                    const BeliefOptions& options, const RunCallbacks& callbacks = {});

/// The minimum likelihood other than 0, and the maximum.
inline constexpr float least_likelihood = 1e-6F, most_likelihood = 1e12F;
/// Returns the first edge whose weight is not a likelihood; edges() if there is none. O(edges).
EdgeId refused_likelihood(const Graph& graph);

/// Returns the beliefs after rounds along the rows of the graph, which begin with equal beliefs. `on_round`
/// (optional) ends the rounds by returning false. O(rounds (arcs + vertices)).
std::vector<double> reference_beliefs(const Graph& graph, std::uint64_t rounds,
                                      const std::function<bool(const Round&)>& on_round = {});

}  // namespace lockstep::bp
