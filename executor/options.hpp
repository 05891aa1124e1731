// The command line of lockstep-execute.
#pragma once

#include <optional>
#include <string>

#include "apps/sgd/driver.hpp"
#include "cli.hpp"

namespace lockstep {

struct ExecuteRequest {
    std::string file;  ///< schedule file
    std::string app;
    std::string strategy;
    std::optional<std::string> order;  ///< schedule whose edge or vertex order an online strategy takes
    std::optional<std::string> model, record;
    sgd::SgdOptions sgd;
};

cli::Options execute_options();
/// Throws UsageError.
ExecuteRequest execute_request(const cli::Values& values);

}  // namespace lockstep
