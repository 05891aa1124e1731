// PageRank on the CPU, for lockstep-bench.
#pragma once

#include <nlohmann/json.hpp>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::bench {

/// PageRank on the CPU, every strategy, beside a plain OpenMP pull: `runs` runs of each in turn, of which the
/// median counts. Throws Error (verification) where a strategy and the plain pull disagree.
nlohmann::ordered_json run_pagerank(const Graph& graph, int runs);

}  // namespace lockstep::bench
