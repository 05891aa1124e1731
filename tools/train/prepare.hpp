// From a ratings file to what a run needs: graph, strategy and schedule, in memory.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/sgd/driver.hpp"
#include "cli.hpp"
#include "execute.hpp"
#include "pipeline.hpp"

namespace lockstep::train {

struct Wanted {
    std::string input;     ///< graph or ratings file, or a schedule file
    std::string strategy;  ///< or "auto"
    ReadOptions reading;
    double sweeps;                    ///< that the schedule will serve
    std::uint32_t rank;               ///< the largest that it will serve
    std::optional<std::string> keep;  ///< schedule file to write
    std::optional<std::string>
        remedy;  ///< a command for weights that are all one number; none: they are taken
};

/// Reads, unless the request has the graph in memory; finds the strategy, where it is open, by the cost model, of those that are deterministic, the next
/// best one where the first does not fit; takes its schedule from the file or builds and proves it; writes
/// the schedule file that is to be kept. `request` gets the strategy. Throws as these do, and FormatError
/// where all weights are one number, unless that is wanted.
Prepared prepare(const Wanted& wanted, const sgd::SgdOptions& options, const Application& application,
                 Request& request, const cli::Common& common);

}  // namespace lockstep::train
