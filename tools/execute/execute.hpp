// The path of a run from a schedule file to a result, whatever the application.
#pragma once

#include "apps/frame/application.hpp"

namespace lockstep {

/// The one path from a schedule file to a result. Throws as its steps do.
int execute(Application& application, const Request& request, const Common& common);

/// A run whose graph and schedule are in memory.
struct Prepared {
    Input input;
    std::optional<Choice> choice;  ///< how the strategy was found, where the user left it open
    nlohmann::ordered_json json;   ///< more of the run's JSON
    std::string text;              ///< lines before the closing one
    bool in_memory = false;        ///< read and scheduled by this program
};
/// The same from there on.
int execute(Application& application, const Request& request, const Common& common, Prepared prepared);

}  // namespace lockstep
