// Functions that all functions of the C interface use: they check arguments and options, and convert
// exceptions into error codes, since no exception may leave the library.
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

/// Runs `body`. If it throws, returns the code of the error, and stores its message for
/// lockstep_last_error(). In a process that was forked from one with threads, `body` runs on a new thread,
/// because the parent's OpenMP threads do not exist in the child; a new thread gets a new team of OpenMP
/// threads.
int call(const std::function<void()>& body) noexcept;

/// Thrown if the caller's progress callback stops a call.
class StoppedByCallback : public Error {
public:
    StoppedByCallback() : Error("interrupted by the caller") {}
};
/// Thrown if a function of the CUDA library has returned an error. Contains the code and the message.
class CudaLibraryError : public Error {
public:
    CudaLibraryError(int returned, const std::string& message) : Error(message), code(returned) {}
    const int code;
};

/// The progress callback that was passed to a call, with its data.
class Progress {
public:
    Progress(lockstep_progress function, void* data) : function_(function), data_(data) {}
    /// Calls the callback with a message. Throws StoppedByCallback if the callback returns a nonzero value.
    void note(const std::string& text) const;
    /// Calls the callback with the number of completed rounds and the total. Returns false if the callback
    /// stops the run.
    bool round(std::uint64_t done, std::uint64_t total) const;
    /// Returns the options that all programs have, as with --quiet. Messages are passed to the callback
    /// instead of being printed.
    cli::Common common() const;

private:
    lockstep_progress function_;
    void* data_;
};

/// Parses options such as {"rank=32", "force"} as a program with the options `known` would. Throws
/// UsageError.
cli::Values values_of(const std::vector<std::string>& options, const cli::Options& known);
/// Parses such options and stores them in the variables of the fields. Throws UsageError.
void take_options(const std::vector<std::string>& options, Fields& fields);
void take_options(const char* const* options, Fields& fields);
/// Removes option `name` from the list and returns its value; returns an empty string if the list does not
/// contain it.
std::string take_option(std::vector<std::string>& options, const std::string& name);
std::vector<std::string> list_of(const char* const* options);

/// Returns the object that `pointer` points to. Throws Error (usage) with the name `what` if the pointer is
/// NULL.
template <class T>
T& required(T* pointer, const char* what) {
    if (!pointer) throw Error(Failure::usage, std::string(what) + " is NULL");
    return *pointer;
}

/// Marks the calling thread as running an application, for as long as the object exists. Throws Error (usage)
/// if the thread is already running one, that is, if a callback starts another run; the data of the first run
/// must not change.
class CallGuard {
public:
    CallGuard();
    ~CallGuard();
    CallGuard(const CallGuard&) = delete;
    CallGuard& operator=(const CallGuard&) = delete;
};

/// Returns the number of threads for work on `edges` edges or array entries: 1 if several threads would not
/// be faster, otherwise 0, which means all threads.
constexpr int threads_for(std::uint64_t edges) { return edges < std::uint64_t{1} << 14 ? 1 : 0; }

/// Sets the number of OpenMP threads for as long as the object exists. 0: all threads.
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

/// Checks that the entries of an array can be read by the CPU. Throws Error (bad input) if the array is on a
/// device, or if it has entries but its pointer is NULL.
void require_host(const lockstep_array& array, const char* what);

/// Converts an array of any integer type to 64-bit integers. Throws Error (bad input) if a number is too
/// large, or if the array has another type or more than one dimension.
Array<std::int64_t> whole_numbers(const lockstep_array& array, const char* what);
/// Converts an array of any numeric type to floats. Throws Error (bad input) if a number is not finite after
/// the conversion.
Array<float> finite_numbers(const lockstep_array& array, const char* what);

}  // namespace lockstep::c
