// The search for the fastest axes (axes.hpp) with `--strategy tune`. It begins with one configuration, varies
// one axis after another, and keeps each value that is faster.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::frontier {

/// A list of options with their values, for example {"balance", "warp"}.
using AxisValues = std::vector<std::pair<std::string, std::string>>;
/// Returns the options in command-line format: "--balance warp --loop all".
std::string to_string(const AxisValues& values);

/// Greedy search from a configuration that takes `seconds`. Tries every value of one axis, then of the next
/// axis, and so on, until no axis in `axes` brings a gain. A change is kept if the new time is below `gain`
/// times the best time. `measure(changes)` returns the seconds of the initial configuration with these
/// changes; it returns nothing if they are invalid, if they have been measured already, or if no time is
/// left. Returns the changes that were kept, which have all been measured.
AxisValues faster_axes(std::span<const std::string> axes, double seconds, double gain,
                       const std::function<std::optional<double>(const AxisValues& changes)>& measure);

}  // namespace lockstep::frontier
