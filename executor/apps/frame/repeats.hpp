// What every application of a graph does between its plan and its metrics: a computation on a device, as
// often as is asked for, with one result.
#pragma once

#include <omp.h>

#include <span>
#include <variant>

#include "apps/frame/outcome.hpp"
#include "lockstep/formats/hash.hpp"
#include "lockstep/schedules/error.hpp"

namespace lockstep {

/// What every one can be told.
struct RunOptions {
    Device device = Device::automatic;
    int threads = 0;  ///< CPU threads; 0 = all
    std::uint64_t repeats = 1;
    double tune_seconds = 10;

    int all_threads() const { return threads ? threads : omp_get_max_threads(); }
};

/// A plan is in the memory of its device.
inline void begin_runs(RunOutcome& o, DeviceInfo device, double plan_seconds, EdgeId bytes,
                       double transfer_seconds, const RunCallbacks& callbacks) {
    o.device = std::move(device);
    o.plan_seconds = plan_seconds;
    o.device_bytes = bytes;
    o.transfer_seconds = transfer_seconds;
    if (callbacks.on_start) callbacks.on_start(o);
}

/// What once(whether it is the first time) returns of each time: its seconds, most often. It leaves the hash
/// of what it finds in `o`. Throws Error (verification) where these differ, unless they may.
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

/// Values by vertex: a vector, or one of several kinds of them.
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
