// Executes a run of any application: from a request to the result, the run record and the report.
#pragma once

#include "apps/frame/application.hpp"

namespace lockstep {

/// Executes a run from reading the schedule or graph file to writing the result. Returns the exit code 0.
/// Throws the errors of all steps.
int execute(Application& application, const Request& request, const Common& common);

/// A run whose graph and schedule are in memory.
struct Prepared {
    Input input;
    std::optional<Choice> choice;  ///< choice of the strategy; nullopt if the user named a strategy
    nlohmann::ordered_json json;   ///< additional members of the run's JSON
    std::string text;              ///< text that is printed before the closing line
    bool in_memory = false;        ///< whether this program has read the graph and built the schedule itself
};
/// Executes a run whose input is in memory already. The first step is the verification of the schedule.
int execute(Application& application, const Request& request, const Common& common, Prepared prepared);

}  // namespace lockstep
