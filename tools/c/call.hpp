// How every function of the C interface is entered and left: errors become codes, nothing is thrown.
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

/// Runs it; what it throws becomes a code, and the text of lockstep_last_error(). In a process that was forked
/// from one with threads, on a thread of its own: those of OpenMP are not there any more, and a new thread gets
/// others.
int call(const std::function<void()>& body) noexcept;

/// Thrown where the callback wants to stop.
class Stopped : public Error {
public:
    Stopped() : Error("interrupted by the caller") {}
};
/// Thrown where another library has said what there is to say.
class Passed : public Error {
public:
    Passed(int returned, const std::string& message) : Error(message), code(returned) {}
    const int code;
};

/// The callback of a call.
class Progress {
public:
    Progress(lockstep_progress function, void* data) : function_(function), data_(data) {}
    /// Throws Stopped.
    void note(const std::string& text) const;
    /// Whether to go on.
    bool round(std::uint64_t done, std::uint64_t total) const;
    /// What programs are told on their command line: quiet, with notes for the callback.
    cli::Common common() const;

private:
    lockstep_progress function_;
    void* data_;
};

/// {"rank=32", "force"} as a program with these options takes them. Throws UsageError.
cli::Values values_of(const char* const* options, const cli::Options& known);
/// The value of one of the options as it was given, taken out of the list; empty where it is not there.
std::string take_option(std::vector<std::string>& options, const std::string& name);
std::vector<std::string> list_of(const char* const* options);
cli::Values values_of(const std::vector<std::string>& options, const cli::Options& known);

/// Throws Error (usage) where a pointer is NULL that may not be.
template <class T>
T& required(T* pointer, const char* what) {
    if (!pointer) throw Error(Failure::usage, std::string(what) + " is NULL");
    return *pointer;
}

/// While it exists, its thread runs an application. Throws Error (usage) if the thread is in a callback of another run: what
/// that one runs on must not change.
class Running {
public:
    Running();
    ~Running();
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
};

/// Returns the number of threads for work on so many edges, or entries: 1 where they are too few for several, 0 for all.
constexpr int threads_for(std::uint64_t edges) { return edges < std::uint64_t{1} << 14 ? 1 : 0; }

/// Sets the number of threads (0: all) until the end of the call.
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

/// The rows of an array, in the memory of the host. Throws Error (bad input) where it is not of one dimension, or
/// NULL with rows.
void require_host(const lockstep_array& array, const char* what);

/// Whole numbers of any type, as 64 bits. Throws Error (bad input) where one does not fit, or the type is another.
Array<std::int64_t> whole_numbers(const lockstep_array& array, const char* what);
/// Numbers of any type, in single precision. Throws Error (bad input) where one is not finite there.
Array<float> finite_numbers(const lockstep_array& array, const char* what);

}  // namespace lockstep::c
