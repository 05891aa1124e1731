// Output of the rounds over active vertices, for the applications that have such strategies.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "lockstep/executor/frontier/run.hpp"
#include "lockstep/formats/run_record.hpp"

namespace lockstep {

/// Adds the counts of a run on a GPU to the metrics of its sweep. A CPU run launches no kernel and adds none.
void add_metrics(Metrics& metrics, const frontier::Totals& totals);

/// Adds arrays to the metrics of a sweep: seconds, active vertices and arcs per round, and the numbers (from
/// 1) of the rounds that pulled and of the rounds whose filter made the next list.
void add_metrics(Metrics& metrics, const std::vector<frontier::Round>& rounds);

/// Returns the counts of a run as a JSON object.
nlohmann::ordered_json totals_json(const frontier::Totals& totals);

/// Returns the rounds as a JSON array of objects.
nlohmann::ordered_json rounds_json(const std::vector<frontier::Round>& rounds);

}  // namespace lockstep
