// The part of a run between plan and metrics that all applications on graphs share: repeats a computation on
// a device, and checks that all repeats have the same result.
#pragma once

#include <omp.h>

#include <span>
#include <variant>

#include "apps/frame/outcome.hpp"
#include "lockstep/formats/hash.hpp"
#include "lockstep/schedules/error.hpp"

namespace lockstep {

/// Options of all applications on graphs.
struct RunOptions {
    Device device = Device::automatic;
    int threads = 0;  ///< CPU threads; 0 = all
    std::uint64_t repeats = 1;
    double tune_seconds = 10;

    int all_threads() const { return threads ? threads : omp_get_max_threads(); }
};

/// Stores the figures of a plan that has been copied to its device, and calls `on_start`.
inline void begin_runs(RunOutcome& o, DeviceInfo device, double plan_seconds, EdgeId bytes,
                       double transfer_seconds, const RunCallbacks& callbacks) {
    o.device = std::move(device);
    o.plan_seconds = plan_seconds;
    o.device_bytes = bytes;
    o.transfer_seconds = transfer_seconds;
    if (callbacks.on_start) callbacks.on_start(o);
}

/// Calls once(whether it is the first call) `times` times, or until the run is interrupted. Returns the
/// results of the calls, usually their seconds. `once` stores the hash of its values in `o`. Throws Error
/// (verification) if the hashes differ, unless `may_differ`.
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
                                                   " gave another result (" + o.result_hash +
                                                   ") than those before (" + before + ")");
    }
    return found;
}

/// Adds values by vertex to a hash: a vector, or a variant of several types of vectors.
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
