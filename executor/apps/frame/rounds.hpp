// Reports the rounds of strategies over active vertices (frontiers): as metrics of the run record and as
// JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "lockstep/executor/frontier/run.hpp"
#include "lockstep/formats/run_record.hpp"

namespace lockstep {

/// Adds the totals of a run, such as its number of kernel launches, to the metrics of its sweep. After a run
/// on a CPU nothing is added, since it launches no kernel.
void add_metrics(Metrics& metrics, const frontier::Totals& totals);

/// Adds one array per property of the rounds to the metrics of a sweep: the seconds, the active vertices and
/// the arcs of each round. Further arrays list the numbers (from 1) of the rounds that pulled values from
/// in-neighbours, and for each filter, a method of building the list of active vertices, the rounds that used
/// it.
void add_metrics(Metrics& metrics, const std::vector<frontier::Round>& rounds);

/// Returns the totals of a run as a JSON object.
nlohmann::ordered_json totals_json(const frontier::Totals& totals);

/// Returns a JSON array with one object per round.
nlohmann::ordered_json rounds_json(const std::vector<frontier::Round>& rounds);

}  // namespace lockstep
