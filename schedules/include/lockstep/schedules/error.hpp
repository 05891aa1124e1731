// Error, the base class of all exceptions that Lockstep throws, and ScheduleError. Libraries only throw; the
// main function of a program turns `failure()` into an exit code.
#pragma once

#include <stdexcept>
#include <string>

namespace lockstep {

/// The kind of an error. The value of an enumerator is the exit code of the programs.
enum class Failure {
    failed = 1,
    usage = 2,
    diverged = 3,
    bad_input = 4,
    no_device = 5,
    output = 6,
    verification = 7,
};

class Error : public std::runtime_error {
public:
    Error(Failure failure, const std::string& message) : std::runtime_error(message), failure_(failure) {}
    explicit Error(const std::string& message) : Error(Failure::failed, message) {}

    Failure failure() const noexcept { return failure_; }

private:
    Failure failure_;
};

/// Thrown if a schedule cannot be built, is missing in a file, or cannot be used with the chosen operator.
class ScheduleError : public Error {
public:
    explicit ScheduleError(const std::string& message, Failure failure = Failure::bad_input)
        : Error(failure, message) {}
};

}  // namespace lockstep
