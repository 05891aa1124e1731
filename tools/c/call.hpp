// Entry and exit of every function of the C interface: errors become codes, and no exception leaves the
// library.
#pragma once

#include <omp.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli.hpp"
#include "handles.hpp"
#include "lockstep/schedules/array.hpp"

namespace lockstep::c {

/// Runs `body`. An exception becomes a code and the text of lockstep_last_error(). In a process that was
/// forked from one with threads, `body` runs on a new thread: the OpenMP threads of the parent do not exist
/// there, and a new thread gets a team of its own.
int call(const std::function<void()>& body) noexcept;

/// Thrown if the callback stops the call.
class Stopped : public Error {
public:
    Stopped() : Error("interrupted by the caller") {}
};
/// Thrown if another library has already reported the error; carries its code and message.
class Passed : public Error {
public:
    Passed(int returned, const std::string& message) : Error(message), code(returned) {}
    const int code;
};

/// The progress callback of a call, with its data.
class Progress {
public:
    Progress(lockstep_progress function, void* data) : function_(function), data_(data) {}
    /// Calls the callback with a note. Throws Stopped if the callback returns nonzero.
    void note(const std::string& text) const;
    /// Reports `done` of `total` rounds to the callback. Returns false if the callback stops the run.
    bool round(std::uint64_t done, std::uint64_t total) const;
    /// Returns the common options of a program, as if it ran with --quiet, with a listener that passes notes
    /// to the callback.
    cli::Common common() const;

private:
    lockstep_progress function_;
    void* data_;
};

/// Parses options such as {"rank=32", "force"} like a program that has the options `known`. Throws
/// UsageError.
cli::Values values_of(const std::vector<std::string>& options, const cli::Options& known);
/// Parses such options and stores them in the variables of the fields. Throws UsageError.
void take_options(const std::vector<std::string>& options, Fields& fields);
void take_options(const char* const* options, Fields& fields);
/// Removes option `name` from the list and returns its value; returns an empty string if the list does not
/// contain it.
std::string take_option(std::vector<std::string>& options, const std::string& name);
std::vector<std::string> list_of(const char* const* options);

/// Returns the object behind a pointer. Throws Error (usage) if the pointer is NULL.
template <class T>
T& required(T* pointer, const char* what) {
    if (!pointer) throw Error(Failure::usage, std::string(what) + " is NULL");
    return *pointer;
}

/// Marks the calling thread as running an application during its lifetime. Throws Error (usage) if the thread
/// is already in a callback of another run, since the data of that run must not change.
class Running {
public:
    Running();
    ~Running();
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
};

/// Returns the number of threads for work on `edges` edges, or array entries: 1 if there are too few for
/// several threads, 0 (all threads) otherwise.
constexpr int threads_for(std::uint64_t edges) { return edges < std::uint64_t{1} << 14 ? 1 : 0; }

/// Sets the number of OpenMP threads (0: all) during its lifetime.
class Threads {
public:
    explicit Threads(int wanted) : before_(omp_get_max_threads()) {
        if (wanted > 0) omp_set_num_threads(wanted);
    }
    ~Threads() { omp_set_num_threads(before_); }
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

private:
    int before_;
};

/// Checks that an array has data, and that the data are in host memory. Throws Error (bad input) if the array
/// is on a device, or if its pointer is NULL although it has entries.
void require_host(const lockstep_array& array, const char* what);

/// Converts whole numbers of any integer type to 64 bits. Throws Error (bad input) if a number does not fit,
/// or if the array has another type or more than one dimension.
Array<std::int64_t> whole_numbers(const lockstep_array& array, const char* what);
/// Converts numbers of any type to single precision. Throws Error (bad input) if a number is not finite in
/// single precision.
Array<float> finite_numbers(const lockstep_array& array, const char* what);

}  // namespace lockstep::c
