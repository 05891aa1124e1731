// The outcome of a run (result, status and times), as every application returns it, and the callbacks that
// report the progress of a run. This code uses neither files nor the command line.
#pragma once

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/device.hpp"
#include "lockstep/formats/result_file.hpp"

namespace lockstep {

/// The outcome of --verify: a check of the result with code that is independent of the kernels.
struct CheckResult {
    std::string problem;          ///< description of the first error; empty if the result is right
    std::string text;             ///< summary of a successful check, printed after "proved: "
    nlohmann::ordered_json json;  ///< members of the object "check" in the JSON, except "ok"
};

struct RunOutcome {
    std::string status = "ok";        ///< "ok", or another value of RunEnd::status
    std::string message;              ///< reason if the status is not "ok"; otherwise a warning, or empty
    std::vector<SweepRecord> sweeps;  ///< one record per round, with its time and metrics
    std::string result_hash;          ///< XXH3-128 hash of the result, which is equal on every device
    /// Result by vertex, in one or more columns; empty if the application stores its result elsewhere.
    std::vector<ResultColumn> columns;
    DeviceInfo device;
    std::string device_note;  ///< reason why the device "auto" became the CPU; otherwise empty
    /// False if repeated runs may give different results, although the strategy is deterministic.
    bool same_bits = true;
    EdgeId device_bytes = 0;
    double plan_seconds = 0, transfer_seconds = 0, execute_seconds = 0, evaluate_seconds = 0;
    double fit_seconds = 0;     ///< time to fit the bias terms between sweeps (matrix factorization)
    double result_seconds = 0;  ///< time to copy the result from the device and to hash its bits
    /// Index of the round whose values are the result, if it need not be the last round.
    std::optional<std::uint64_t> kept_round;
    /// Whether a diverged run returns the values of its last round without infinite values.
    bool keeps_last_good = false;
    std::optional<CheckResult> checked;  ///< result of --verify; nullopt if the result was not checked
    double check_seconds = 0;            ///< time in seconds of the check whose result is `checked`

    bool has_result() const { return status != "diverged" || keeps_last_good; }

    RunOutcome() = default;
    RunOutcome(const RunOutcome&) = default;
    RunOutcome(RunOutcome&&) = default;
    RunOutcome& operator=(const RunOutcome&) = default;
    RunOutcome& operator=(RunOutcome&&) = default;
    /// Virtual, since applications derive their outcomes from this struct and delete them by a pointer to it.
    virtual ~RunOutcome() = default;
};

/// Returns the median of values, in O(n log n). Of an even number of values, returns the larger middle one;
/// of none, zero.
template <class T>
T median(std::vector<T> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? T() : values[values.size() / 2];
}

/// Functions of the caller that a run calls at its start and after each round.
struct RunCallbacks {
    /// Called once, after the plan was copied to the device and before the first round.
    std::function<void(const RunOutcome& so_far)> on_start;
    std::function<void(const SweepRecord&)> on_round;
    std::function<bool()> interrupted;
};

}  // namespace lockstep
