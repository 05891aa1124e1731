// Timings of the stages of preprocessing.
#pragma once

#include <nlohmann/json.hpp>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::bench {

/// Times every stage of preprocessing in memory. Returns for each stage its time, also as a multiple of one
/// memory copy of the triples in the same run, and its peak memory in addition to the memory held before.
nlohmann::ordered_json run_pipeline(const Graph& graph, int repeats);

}  // namespace lockstep::bench
