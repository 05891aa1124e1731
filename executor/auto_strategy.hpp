// lockstep-execute --strategy auto: the strategy that the cost model finds fastest of those that the file
// has.
#pragma once

#include <string>
#include <vector>

#include "options.hpp"

namespace lockstep {

struct AutoChoice {
    std::vector<std::string>
        strategies;       ///< the best first; the next ones should it not fit the device after all
    std::string reason;   ///< a sentence
    std::string figures;  ///< of which device, measured when, or built in
    double seconds = 0;   ///< it took to decide
};

/// Looks at the attributes of the schedule file alone, and at the cached probe of the device, else at
/// built-in figures, which it notes. Strategies that race are not chosen. Throws FormatError on a damaged
/// file or probe.
AutoChoice choose_strategy(const ExecuteRequest& request, const cli::Common& common);

}  // namespace lockstep
