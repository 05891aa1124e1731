// The search of --strategy tune over the axes of rounds over active vertices. It begins with one choice of
// the axes, varies one axis after another, and keeps the values that are faster.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::frontier {

/// Options and their values, for example {"balance", "warp"}.
using AxisValues = std::vector<std::pair<std::string, std::string>>;
/// Returns the options as on a command line: "--balance warp --loop all".
std::string to_string(const AxisValues& values);

/// Greedy search from a start that takes `seconds`. It tries every value of one axis, then of the next axis,
/// until all of the `axes` have been tried without a gain. A change is kept if it takes less than `gain`
/// times the best time. `measure` returns the seconds of the start with `changes`, or nothing if the changes
/// are invalid, if they have been measured, or if no time is left. Returns the changes that were kept, all of
/// which were measured.
AxisValues faster_axes(std::span<const std::string> axes, double seconds, double gain,
                       const std::function<std::optional<double>(const AxisValues& changes)>& measure);

}  // namespace lockstep::frontier
