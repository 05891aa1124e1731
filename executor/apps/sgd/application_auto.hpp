// lockstep-execute --strategy auto: the strategy that the cost model finds fastest of those that the file
// has.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/sgd/driver.hpp"
#include "insight/cache.hpp"
#include "insight/statistics.hpp"

namespace lockstep {

/// Looks at the attributes of the schedule file alone, and at the cached probe of the device, else at
/// built-in figures, which it notes. Strategies that race are not chosen. Throws FormatError on a damaged
/// file or probe.
/// The JSON has the reason, of which device the figures are (measured when, or built in), and the seconds
/// that it took to decide.
Choice choose_strategy(const std::string& file, const sgd::SgdOptions& options, const Common& common);

/// Returns the figures by which a strategy is chosen for the device that the options name, and notes if they are built
/// in. They do not depend on the number of threads of the run: on a CPU they are those measured with all its
/// processors, or built-in ones for a constant number of threads.
insight::Figures figures_of(const sgd::SgdOptions& options, const Common& common);
/// The same where schedules that lack are built, which counts as time: of a graph, deterministic strategies
/// alone.
Choice choose_strategy(const insight::Statistics& statistics, const insight::Figures& figures, double sweeps);
/// Of a graph for which nothing is built yet. Stars are counted only where building them alone, as predicted, takes
/// less than the best of the others altogether.
Choice choose_strategy(const Graph& graph, const std::string& name, const BuildOptions& options,
                       const insight::Figures& figures, double sweeps);

}  // namespace lockstep
