// The stages of preprocessing, timed.
#pragma once

#include <nlohmann/json.hpp>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::bench {

/// Times every stage of preprocessing in memory, with its peak memory above what was held before, and
/// as a multiple of one memory copy of the triples in the same run.
nlohmann::ordered_json run_pipeline(const Graph& graph, int repeats);

}  // namespace lockstep::bench
