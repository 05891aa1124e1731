// One sweep of the strategies that look best, to correct what was predicted.
#pragma once

#include <functional>
#include <string>

#include "apps/device.hpp"
#include "insight/recommend.hpp"
#include "lockstep/formats/schedule_file.hpp"

namespace lockstep::insight {

/// Runs the first `count` of the ranked strategies that may be recommended, two sweeps each, of which the
/// second counts; builds a schedule that `file` does not have. Their predictions get what was measured, or
/// why they could not run. `note` hears of each.
void measure_first(Recommendation& recommendation, std::size_t count, const ScheduleFile& file,
                   const Probe& probe, Device device, int threads,
                   const std::function<void(const std::string&)>& note);

}  // namespace lockstep::insight
