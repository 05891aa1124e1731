// Belief propagation, from a schedule file's contents to beliefs; the serial reference in double precision.
#pragma once

#include "apps/bp/operator.hpp"
#include "apps/frame/arcs.hpp"

namespace lockstep::bp {

struct BeliefOptions : ArcOptions {
    std::uint64_t rounds = 20;
};

using Outcome = ArcOutcome<Round>;
/// Runs; throws as check_options and run_arcs, and Error (bad_input) where refused_likelihood finds one.
Outcome run_beliefs(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                    const BeliefOptions& options, const RunCallbacks& callbacks = {});

/// The least and the largest likelihood but 0.
inline constexpr float least_likelihood = 1e-6F, most_likelihood = 1e12F;
/// The first edge whose weight is no likelihood; edges() where there is none. O(edges).
EdgeId refused_likelihood(const Graph& graph);

/// Rounds from equal beliefs, along the rows of the graph, until `on_round` (which may be missing) returns
/// false. O(rounds (arcs + vertices)).
std::vector<double> reference_beliefs(const Graph& graph, std::uint64_t rounds,
                                      const std::function<bool(const Round&)>& on_round = {});

}  // namespace lockstep::bp
