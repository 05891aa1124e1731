// Runs a program and collects its output.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::update {

struct Ran {
    int code = 0;  ///< exit code, or 128 + signal
    std::string printed;
};

/// Runs a command and waits for it; returns nullopt if there is no such program. `check` is called ten times
/// per second: when it throws, the command and all processes that it has started are ended. Throws Error
/// (failed) if the system cannot start a process.
std::optional<Ran> run_command(const std::vector<std::string>& words, const std::function<void()>& check);

}  // namespace lockstep::update
