// Preparation of a run from a ratings file in memory: graph, strategy and schedule.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/sgd/driver.hpp"
#include "cli.hpp"
#include "execute.hpp"
#include "pipeline.hpp"

namespace lockstep::train {

struct TrainPreparationOptions {
    std::string input;     ///< graph or ratings file, or a schedule file
    std::string strategy;  ///< name of a strategy, or "auto"
    ReadOptions reading;
    double sweeps;       ///< expected number of sweeps over which building the schedule is amortized
    std::uint32_t rank;  ///< maximum rank that runs on the schedule
    std::optional<std::string> keep;  ///< schedule file to write, if any
    std::optional<std::string>
        remedy;  ///< command to suggest if all weights are equal; none: equal weights are accepted
};

/// Reads the input, unless the request has the graph in memory. If the strategy is open, chooses it by the
/// cost model among the deterministic strategies; if the first does not fit, the next best one. Takes the
/// schedule from the file, or builds and verifies it, and writes the schedule file if it is to be kept.
/// Stores the strategy in `request`. Throws the errors of these steps, and FormatError if all weights are
/// equal and a remedy is given.
Prepared prepare(const TrainPreparationOptions& wanted, const sgd::SgdOptions& options,
                 const Application& application, Request& request, const cli::Common& common);

}  // namespace lockstep::train
