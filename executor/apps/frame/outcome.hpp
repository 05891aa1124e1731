// What a run of any application comes to, and what it tells while it runs. Knows nothing of files or of the
// command line.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/device.hpp"
#include "lockstep/formats/result_file.hpp"

namespace lockstep {

struct RunOutcome {
    std::string status = "ok";          ///< as RunEnd::status
    std::string message;                ///< reason of a status that is not "ok", or a warning
    std::vector<SweepRecord> sweeps;    ///< with the metrics of the application
    std::string result_hash;            ///< XXH3-128 of the result, the same on every device
    std::vector<ResultColumn> columns;  ///< the result by vertex, where that is kept here
    DeviceInfo device;
    std::string device_note;  ///< why "auto" chose the CPU, if it did
    EdgeId device_bytes = 0;
    double plan_seconds = 0, transfer_seconds = 0, execute_seconds = 0, evaluate_seconds = 0;
    double fit_seconds = 0;     ///< biases, between the sweeps
    double result_seconds = 0;  ///< copying the result from the device, and hashing it
    std::optional<std::uint64_t>
        kept_round;                ///< the round whose result is kept, where it may be another than the last
    bool keeps_last_good = false;  ///< a run that diverged has a result, that of its last good round

    RunOutcome() = default;
    RunOutcome(const RunOutcome&) = default;
    RunOutcome(RunOutcome&&) = default;
    RunOutcome& operator=(const RunOutcome&) = default;
    RunOutcome& operator=(RunOutcome&&) = default;
    virtual ~RunOutcome() = default;  ///< those of the applications are deleted as this
};

/// Returns the median: the upper one of two middle values; zero if there are no values.
template <class T>
T median(std::vector<T> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? T() : values[values.size() / 2];
}

/// The functions of the caller that a run calls between rounds.
struct RunCallbacks {
    std::function<void(const RunOutcome& so_far)> on_start;  ///< device and plan known
    std::function<void(const SweepRecord&)> on_round;
    std::function<bool()> interrupted;
};

}  // namespace lockstep
