#include "call.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <thread>

#include "command_line.hpp"
#include "lockstep/formats/version.hpp"

namespace lockstep::c {

namespace {

/// True in a child process after a fork, where the parent's OpenMP threads do not exist.
std::atomic<bool> forked = false;
const int watched = pthread_atfork(nullptr, nullptr, [] { forked = true; });

thread_local std::string last_error;
thread_local bool is_running = false;  ///< whether this thread is running an application

int fail(int code, const char* message) noexcept {
    try {
        last_error = message;
    } catch (...) {
        last_error.clear();
    }
    return code;
}

int guarded(const std::function<void()>& body) noexcept {
    try {
        body();
        return LOCKSTEP_OK;
    } catch (const StoppedByCallback& e) {
        return fail(LOCKSTEP_INTERRUPTED, e.what());
    } catch (const CudaLibraryError& e) {
        return fail(e.code, e.what());
    } catch (const Error& e) {
        return fail(static_cast<int>(e.failure()), e.what());
    } catch (const boost::program_options::error& e) {
        return fail(LOCKSTEP_USAGE, e.what());
    } catch (const std::bad_alloc&) {
        return fail(LOCKSTEP_FAILED, "out of memory");
    } catch (const std::exception& e) {
        return fail(LOCKSTEP_FAILED, e.what());
    } catch (...) {
        return fail(LOCKSTEP_FAILED, "an unknown exception");
    }
}

}  // namespace

int call(const std::function<void()>& body) noexcept {
    static_cast<void>(watched);
    if (!forked) return guarded(body);
    int code = LOCKSTEP_FAILED;
    std::string message;
    const bool running = is_running;
    const int started = guarded([&] {
        std::thread([&] {
            is_running = running;
            code = guarded(body);
            message.swap(last_error);
        }).join();
    });
    if (started != LOCKSTEP_OK) return started;
    return code == LOCKSTEP_OK ? code : fail(code, message.c_str());
}

void Progress::note(const std::string& text) const {
    if (function_ && function_(data_, text.c_str(), 0, 0) != 0) throw StoppedByCallback();
}
bool Progress::round(std::uint64_t done, std::uint64_t total) const {
    return !function_ || function_(data_, nullptr, done, total) == 0;
}
cli::Common Progress::common() const {
    cli::Common common;
    common.quiet = true;
    common.listener = [this](const std::string& text) { note(text); };
    return common;
}

std::vector<std::string> list_of(const char* const* options) {
    std::vector<std::string> list;
    for (; options && *options; ++options) list.emplace_back(*options);
    return list;
}

std::string take_option(std::vector<std::string>& options, const std::string& name) {
    std::string value;
    std::erase_if(options, [&](const std::string& option) {
        if (!option.starts_with(name + "=")) return false;
        value = option.substr(name.size() + 1);
        return true;
    });
    return value;
}

cli::Values values_of(const std::vector<std::string>& options, const cli::Options& known) {
    std::vector<std::string> words;
    for (const std::string& option : options) {
        if (option.empty() || option[0] == '-' || option[0] == '=')
            throw cli::UsageError(fmt::format("an option is \"{}\"; expected NAME=VALUE, or NAME", option));
        words.push_back("--" + option);
    }
    const cli::Program program{"liblockstep", "", "", ""};
    return cli::parse_command_line(words, program, known, {});
}
void take_options(const std::vector<std::string>& options, Fields& fields) {
    cli::Options known;
    cli::add_fields(known, fields);
    cli::take_fields(values_of(options, known), fields);
}
void take_options(const char* const* options, Fields& fields) { take_options(list_of(options), fields); }

CallGuard::CallGuard() {
    if (is_running) throw Error(Failure::usage, "a callback must not run another application");
    is_running = true;
    cli::start_again();
}
CallGuard::~CallGuard() { is_running = false; }

void require_host(const lockstep_array& array, const char* what) {
    if (array.rows && array.columns && !array.data)
        throw Error(Failure::bad_input, fmt::format("{} has no data", what));
    if (array.device != 0)
        throw Error(
            Failure::bad_input,
            fmt::format("{} is in the memory of a GPU; expected an array in host memory: copy it there",
                        what));
}

namespace {

/// Calls `use` with a pointer to the entries of an array, in the array's element type. Throws Error (bad
/// input) if the type is not supported.
template <class... Types, class Use>
void visit(const lockstep_array& array, const char* what, const char* expected, Use use) {
    require_host(array, what);
    if (array.columns != 1)
        throw Error(Failure::bad_input,
                    fmt::format("{} has {} columns; expected one dimension", what, array.columns));
    const auto try_type = [&]<class T>(std::int32_t type, T) {
        if (array.type != type) return false;
        use(static_cast<const T*>(array.data));
        return true;
    };
    constexpr bool reals = (std::is_same_v<Types, double> || ...);
    if (try_type(LOCKSTEP_INT32, std::int32_t{}) || try_type(LOCKSTEP_INT64, std::int64_t{}) ||
        try_type(LOCKSTEP_UINT32, std::uint32_t{}) || try_type(LOCKSTEP_UINT64, std::uint64_t{}))
        return;
    if constexpr (reals) {
        if (try_type(LOCKSTEP_FLOAT32, float{}) || try_type(LOCKSTEP_FLOAT64, double{})) return;
    }
    throw Error(Failure::bad_input, fmt::format("{} is of type {}; expected {}", what, array.type, expected));
}

/// The result of searching for the first invalid entry of an array, if all entries are valid.
constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

}  // namespace

Array<std::int64_t> whole_numbers(const lockstep_array& array, const char* what) {
    Array<std::int64_t> numbers(array.rows);
    std::uint64_t wrong = none;
    visit<std::int64_t>(array, what, "whole numbers", [&]<class T>(const T* data) {
#pragma omp parallel for schedule(static) reduction(min : wrong)
        for (std::uint64_t i = 0; i < array.rows; ++i) {
            if (!std::in_range<std::int64_t>(data[i])) wrong = std::min(wrong, i);
            numbers[i] = static_cast<std::int64_t>(data[i]);
        }
    });
    if (wrong != none)
        throw Error(Failure::bad_input,
                    fmt::format("{}: entry {} is beyond 64 bits with a sign", what, wrong));
    return numbers;
}

Array<float> finite_numbers(const lockstep_array& array, const char* what) {
    Array<float> numbers(array.rows);
    std::uint64_t wrong = none;
    visit<double>(array, what, "numbers", [&]<class T>(const T* data) {
#pragma omp parallel for schedule(static) reduction(min : wrong)
        for (std::uint64_t i = 0; i < array.rows; ++i) {
            numbers[i] = static_cast<float>(data[i]);
            if (!std::isfinite(numbers[i])) wrong = std::min(wrong, i);
        }
    });
    if (wrong != none)
        throw Error(Failure::bad_input,
                    fmt::format("{}: entry {} is {}; expected finite numbers of single precision", what,
                                wrong, numbers[wrong]));
    return numbers;
}

}  // namespace lockstep::c

using namespace lockstep;

const char* lockstep_version(void) {
    static const std::string text = version() + " (revision " + revision() + ")";
    return text.c_str();
}
const char* lockstep_last_error(void) { return c::last_error.c_str(); }

int lockstep_result_array(const lockstep_result* result, const char* name, lockstep_array* array) {
    return c::call([&] {
        const auto& arrays = c::required(result, "result").arrays;
        const auto found = arrays.find(&c::required(name, "name"));
        if (found == arrays.end())
            throw Error(Failure::bad_input,
                        fmt::format("there is no array {}; there are: {}", name, result->names));
        c::required(array, "array") = found->second.array;
    });
}
const char* lockstep_result_names(const lockstep_result* result) {
    return result ? result->names.c_str() : "";
}
const char* lockstep_result_json(const lockstep_result* result) {
    return result ? result->json.c_str() : "{}";
}
void lockstep_result_free(lockstep_result* result) { delete result; }
