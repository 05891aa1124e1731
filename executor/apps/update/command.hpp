// Runs a command, such as a compiler, and collects its output.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::update {

struct CommandResult {
    int code = 0;  ///< exit code of the command, or 128 + the number of the signal that ended it
    std::string printed;
};

/// Runs a command and waits for its end. Returns nullopt if there is no such program. `check` is called ten
/// times per second; if it throws, the command and all processes that it started are killed, and the
/// exception is passed on. Throws Error (failed) if the system cannot start a process.
std::optional<CommandResult> run_command(const std::vector<std::string>& command,
                                         const std::function<void()>& check);

}  // namespace lockstep::update
