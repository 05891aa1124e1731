// The choice of --strategy auto for SGD: the strategy with the smallest time according to the cost model of
// executor/insight.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/sgd/driver.hpp"
#include "insight/cache.hpp"
#include "insight/statistics.hpp"

namespace lockstep {

/// Chooses a strategy from the statistics in the schedule file and the measured figures of the device in the
/// probe cache. Without measured figures, uses built-in ones and prints a note. Chooses only deterministic
/// strategies. Throws FormatError if the file or the probe is damaged. The JSON of the choice has the reason,
/// the device that was measured, the time of the measurement (or that figures are built in), and the seconds
/// that the choice took.
Choice choose_strategy(const std::string& file, const sgd::SgdOptions& options, const Common& common);

/// Returns the performance figures from which a strategy is chosen for the device in the options, and prints
/// a note if they are built in. The figures do not depend on the number of threads of the run: on a CPU they
/// were measured with all processors, or are built-in figures for a constant number of threads.
insight::Figures figures_of(const sgd::SgdOptions& options, const Common& common);
/// Chooses a deterministic strategy from the statistics of a graph without schedules. The time to build the
/// schedule is part of a strategy's predicted time.
Choice choose_strategy(const insight::Statistics& statistics, const insight::Figures& figures, double sweeps);
/// Chooses a deterministic strategy for a graph without schedules. The stars of the graph, whose number the
/// prediction for `tiled` depends on, are counted only if building them is predicted to take less than the
/// total time of the best other strategy.
Choice choose_strategy(const Graph& graph, const std::string& name, const BuildOptions& options,
                       const insight::Figures& figures, double sweeps);

}  // namespace lockstep
