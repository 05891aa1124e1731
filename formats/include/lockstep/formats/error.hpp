// Errors of files and options: bad input, output that cannot be written, and wrong use.
#pragma once

#include <cstdint>
#include <string>

#include "lockstep/schedules/error.hpp"

namespace lockstep {

/// An input file with invalid content. what() is "path:line: message" ("path: message" for binary files,
/// which have line 0). The message describes the expected content and, if that helps, a remedy.
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

/// Wrong use of a program or of the library (exit code 2). The message names the option.
class UsageError : public Error {
public:
    explicit UsageError(const std::string& message) : Error(Failure::usage, message) {}
};

/// An output file that could not be written. No part of it is left behind.
class OutputError : public Error {
public:
    OutputError(const std::string& path, const std::string& message)
        : Error(Failure::output, path + ": " + message) {}
};

}  // namespace lockstep
