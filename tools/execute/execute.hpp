// Execution of a run, from a schedule file to a result, for every application.
#pragma once

#include "apps/frame/application.hpp"

namespace lockstep {

/// Executes a run, from the schedule or graph file to the result. Throws the errors of its steps. Returns
/// exit code 0.
int execute(Application& application, const Request& request, const Common& common);

/// A run whose graph and schedule are in memory.
struct Prepared {
    Input input;
    std::optional<Choice> choice;  ///< how the strategy was chosen, if the user did not name one
    nlohmann::ordered_json json;   ///< additional members of the run's JSON
    std::string text;              ///< lines that are printed before the closing line
    bool in_memory = false;        ///< whether this program read the graph and built the schedule
};
/// Executes a run whose input is prepared, from the verification of its schedule on.
int execute(Application& application, const Request& request, const Common& common, Prepared prepared);

}  // namespace lockstep
