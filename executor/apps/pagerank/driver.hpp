// PageRank, from a schedule file's contents to ranks.
#pragma once

#include "apps/frame/arcs.hpp"
#include "apps/pagerank/operator.hpp"

namespace lockstep::pagerank {

struct PageRankOptions : ArcOptions, Parameters {};
/// Throws Error (usage) on options that cannot be.
void check_options(const PageRankOptions& options);

using Outcome = ArcOutcome<float, Round>;
/// Runs; throws as check_options and run_arcs.
Outcome run_pagerank(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                     const PageRankOptions& options, const RunCallbacks& callbacks = {});

}  // namespace lockstep::pagerank
