// Errors of files and options: bad input, output that could not be written, wrong use.
#pragma once

#include <cstdint>
#include <string>

#include "lockstep/schedules/error.hpp"

namespace lockstep {

/// A file that does not hold what it should. what() reads "path:line: message" ("path: message" for
/// binary files, where line is 0); the message says what was expected and, where it helps, what to do.
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

/// Wrong use of a program or of the library: exit code 2. The message names the option.
class UsageError : public Error {
public:
    explicit UsageError(const std::string& message) : Error(Failure::usage, message) {}
};

/// A file that could not be written; nothing of it is left behind.
class OutputError : public Error {
public:
    OutputError(const std::string& path, const std::string& message)
        : Error(Failure::output, path + ": " + message) {}
};

}  // namespace lockstep
