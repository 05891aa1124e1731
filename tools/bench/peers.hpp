// Comparison with other packages, for lockstep-bench.
#pragma once

#include <nlohmann/json.hpp>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::bench {

/// Times Lockstep's matchings and Boost.Graph's edge colouring (Misra and Gries) on growing prefixes of the
/// input, until Boost takes longer than `limit` seconds.
nlohmann::ordered_json run_peers(const Graph& whole, double limit, int runs);

/// Returns the subgraph of the first `edges` edges of the input; `repeats` defines whether repeated pairs are
/// merged.
Graph head(const Graph& graph, EdgeId edges, RepeatPolicy repeats = RepeatPolicy::keep);

}  // namespace lockstep::bench
