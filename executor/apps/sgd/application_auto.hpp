// lockstep-execute --strategy auto: the strategy of the file that is fastest according to the cost model.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/sgd/driver.hpp"
#include "insight/cache.hpp"
#include "insight/statistics.hpp"

namespace lockstep {

/// Chooses a strategy from the attributes of the schedule file and the cached probe of the device. If there
/// is no probe, built-in figures are used, which is noted. Unsynchronized strategies are not chosen. Throws
/// FormatError if the file or the probe is damaged. The JSON has the reason, the device of the figures (and
/// when they were measured, or that they are built in), and the seconds that the choice took.
Choice choose_strategy(const std::string& file, const sgd::SgdOptions& options, const Common& common);

/// Returns the figures by which a strategy is chosen for the device that the options name, and notes if they
/// are built in. They do not depend on the number of threads of the run: on a CPU they were measured with all
/// processors, or are built-in ones for a constant number of threads.
insight::Figures figures_of(const sgd::SgdOptions& options, const Common& common);
/// Chooses a deterministic strategy for a graph. Missing schedules are built, and the time for this counts.
Choice choose_strategy(const insight::Statistics& statistics, const insight::Figures& figures, double sweeps);
/// Chooses a deterministic strategy for a graph for which nothing is built yet. Stars are counted only if the
/// predicted time to build them is less than the total time of the best other strategy.
Choice choose_strategy(const Graph& graph, const std::string& name, const BuildOptions& options,
                       const insight::Figures& figures, double sweeps);

}  // namespace lockstep
