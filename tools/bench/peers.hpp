// Other packages beside ours, for lockstep-bench.
#pragma once

#include <nlohmann/json.hpp>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::bench {

/// Lockstep's matchings beside Boost.Graph's edge colouring (Misra and Gries), on growing heads of the input,
/// until Boost takes longer than `limit` seconds.
nlohmann::ordered_json run_peers(const Graph& whole, double limit, int runs);

/// The sub-graph of the first `edges` edges of the input, repeated pairs merged if asked for.
Graph head(const Graph& graph, EdgeId edges, RepeatPolicy repeats = RepeatPolicy::keep);

}  // namespace lockstep::bench
