// The search of --strategy tune along the axes of rounds over active vertices: from one choice of them, one
// axis after another, what is faster is kept.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::frontier {

/// Options and their values: {"balance", "warp"}.
using AxisValues = std::vector<std::pair<std::string, std::string>>;
/// As they are given: "--balance warp --loop all".
std::string to_string(const AxisValues& values);

/// Greedy ascent from the start, which takes `seconds`: every value of one axis, then of the next, until none
/// of the `axes` has gained since it was tried last. A change is kept where it takes less than the share
/// `gain` of what was best. `measure` returns the seconds of the start with changes; nothing where these make
/// no sense, are known, or no time is left. Returns the changes that were kept, none that was not measured.
AxisValues faster_axes(std::span<const std::string> axes, double seconds, double gain,
                       const std::function<std::optional<double>(const AxisValues& changes)>& measure);

}  // namespace lockstep::frontier
