// The command line of lockstep-execute.
#pragma once

#include <optional>
#include <string>

#include "cli.hpp"

namespace lockstep {

/// What every application can be told.
struct Request {
    std::string file;  ///< schedule file
    std::string strategy;
    std::optional<std::string> order;  ///< schedule whose edge or vertex order an online strategy takes
    std::optional<std::string> record, lock;
    bool trust = false;  ///< run schedules that are not proved

    // Of applications with a value a vertex:
    std::optional<std::string> output;
    std::uint64_t top = 0;
    bool verify = false;
};

cli::Options execute_options();

class Application;
/// Reads the command line; the application takes its own options. Throws UsageError, among others for options
/// of another application.
Application& read_request(const cli::Values& values, Request& request);

}  // namespace lockstep
