// The axes of rounds over active vertices as options, which override those of a strategy.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "apps/frame/application.hpp"
#include "lockstep/executor/frontier/axes.hpp"

namespace lockstep {

/// Those that are given: option and value.
using GivenAxes = std::vector<std::pair<std::string, std::string>>;

void declare_axes(cli::Options& tuning);
/// Throws Error (usage) on a wrong word.
GivenAxes given_axes(const cli::Values& values);
/// The strategy's axes, and what is given instead. Throws UsageError where it has none, or they make no
/// sense, for an operator with priorities or without.
frontier::Axes axes_of(const Strategy& strategy, const GivenAxes& given, bool by_priority);
/// The same without priorities, for the record; empty where the strategy has none.
std::string axes_text(const Strategy& strategy, const GivenAxes& given);

/// The axes that a CPU has ways of its own for.
std::vector<std::string> gpu_axes();
/// What is left of a strategy on a CPU: its direction, or its buckets; or the schedule whose order it walks.
std::string cpu_program_of(const Strategy& strategy, const GivenAxes& given, bool by_priority);

}  // namespace lockstep
