// The classes of errors that concern files and options: FormatError (bad input), UsageError (wrong use) and
// OutputError (output that cannot be written).
#pragma once

#include <cstdint>
#include <string>

#include "lockstep/schedules/error.hpp"

namespace lockstep {

/// Thrown if the content of an input file is invalid. what() is "path:line: message", or "path: message" for
/// binary files, which have line 0. The message describes the expected content and, if possible, a remedy.
class FormatError : public Error {
public:
    FormatError(const std::string& path, std::uint64_t line, const std::string& message)
        : Error(
              Failure::bad_input,
              path + (line ? std::string(":").append(std::to_string(line)) : std::string()) + ": " + message),
          path_(path),
          line_(line) {}
    FormatError(const std::string& path, const std::string& message) : FormatError(path, 0, message) {}

    const std::string& path() const noexcept { return path_; }
    std::uint64_t line() const noexcept { return line_; }

private:
    std::string path_;
    std::uint64_t line_;
};

/// Thrown if a program or the library is used in a wrong way (exit code 2). The message names the option.
class UsageError : public Error {
public:
    explicit UsageError(const std::string& message) : Error(Failure::usage, message) {}
};

/// Thrown if an output file cannot be written. No part of the file is left behind.
class OutputError : public Error {
public:
    OutputError(const std::string& path, const std::string& message)
        : Error(Failure::output, path + ": " + message) {}
};

}  // namespace lockstep
