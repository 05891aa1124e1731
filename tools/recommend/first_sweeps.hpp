// One sweep of the most promising strategies, to correct the predictions.
#pragma once

#include <functional>
#include <string>

#include "apps/device.hpp"
#include "insight/recommend.hpp"
#include "lockstep/formats/schedule_file.hpp"

namespace lockstep::insight {

/// Runs the first `count` eligible strategies of the ranking, two sweeps each, and uses the time of the
/// second. Builds a schedule if `file` does not have it. Each prediction is replaced by the measured time, or
/// gets the reason why the strategy could not run. Calls `note` with a message for each strategy.
void measure_first(Recommendation& recommendation, std::size_t count, const ScheduleFile& file,
                   const Probe& probe, Device device, int threads,
                   const std::function<void(const std::string&)>& note);

}  // namespace lockstep::insight
