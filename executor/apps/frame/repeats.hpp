// Repeats the execution of a plan on a device, and verifies that all repeats give the same result. All
// applications on graphs use this code between making a plan and reporting metrics.
#pragma once

#include <omp.h>

#include <span>
#include <variant>

#include "apps/frame/outcome.hpp"
#include "lockstep/formats/hash.hpp"
#include "lockstep/schedules/error.hpp"

namespace lockstep {

/// The options that all applications on graphs have.
struct RunOptions {
    Device device = Device::automatic;
    int threads = 0;  ///< number of CPU threads; 0: all
    std::uint64_t repeats = 1;
    double tune_seconds = 10;

    int all_threads() const { return threads ? threads : omp_get_max_threads(); }
};

/// Stores in `o` the device, size and times of a plan that has been copied to its device, and calls
/// `on_start`.
inline void begin_runs(RunOutcome& o, DeviceInfo device, double plan_seconds, EdgeId bytes,
                       double transfer_seconds, const RunCallbacks& callbacks) {
    o.device = std::move(device);
    o.plan_seconds = plan_seconds;
    o.device_bytes = bytes;
    o.transfer_seconds = transfer_seconds;
    if (callbacks.on_start) callbacks.on_start(o);
}

/// Calls once(is_first) up to `times` times, and stops earlier if the run is interrupted. `once` executes the
/// plan, stores the hash of the result in `o`, and usually returns its time in seconds. Returns the values
/// that the calls returned. Throws Error (verification) if two calls give different hashes, unless
/// `may_differ`.
template <class Once>
auto repeat(RunOutcome& o, std::uint64_t times, const RunCallbacks& callbacks, Once once,
            bool may_differ = false) {
    std::vector<decltype(once(true))> found;
    while (found.size() < times && o.status == "ok") {
        const std::string before = o.result_hash;
        found.push_back(once(found.empty()));
        if (o.status == "ok" && callbacks.interrupted && callbacks.interrupted()) o.status = "interrupted";
        if (found.size() > 1 && before != o.result_hash && o.status == "ok" && !may_differ)
            throw Error(Failure::verification, "run " + std::to_string(found.size()) +
                                                   " has another result (" + o.result_hash +
                                                   ") than the runs before (" + before + ")");
    }
    return found;
}

/// Adds the values of all vertices to a hash. They are a vector, or a variant of vectors of several types.
template <class T>
void add_to(ContentHash& hash, const std::vector<T>& values) {
    hash.add(std::span(values));
}
template <class... Vectors>
void add_to(ContentHash& hash, const std::variant<Vectors...>& values) {
    std::visit([&](const auto& v) { add_to(hash, v); }, values);
}
template <class Values>
std::string hash_of(const Values& values) {
    ContentHash hash;
    add_to(hash, values);
    return hash.hex();
}

}  // namespace lockstep
