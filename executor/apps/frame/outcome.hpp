// The outcome of a run of any application, and the callbacks that report its progress. Uses neither files nor
// the command line.
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

/// Result of a check against a reference that shares no code with the kernels.
struct Checked {
    std::string problem;          ///< description of the error; empty: the result is right
    std::string text;             ///< summary that is printed after "proved: "
    nlohmann::ordered_json json;  ///< members of "check" in the JSON, in addition to "ok"
};

struct RunOutcome {
    std::string status = "ok";          ///< one of the values of RunEnd::status
    std::string message;                ///< reason of a status that is not "ok", or a warning
    std::vector<SweepRecord> sweeps;    ///< records of the rounds, with their metrics
    std::string result_hash;            ///< XXH3-128 of the result, the same on every device
    std::vector<ResultColumn> columns;  ///< the result by vertex; empty if it is kept elsewhere
    DeviceInfo device;
    std::string device_note;  ///< reason why "auto" chose the CPU, if it did
    bool same_bits = true;    ///< false if repeated runs may differ, although the strategy is deterministic
    EdgeId device_bytes = 0;
    double plan_seconds = 0, transfer_seconds = 0, execute_seconds = 0, evaluate_seconds = 0;
    double fit_seconds = 0;                   ///< time to fit the biases, between the sweeps
    double result_seconds = 0;                ///< time to copy the result from the device and to hash it
    std::optional<std::uint64_t> kept_round;  ///< round whose result is kept, if it may not be the last one
    bool keeps_last_good = false;    ///< whether a diverged run has the result of its last good round
    std::optional<Checked> checked;  ///< result of the check, if the result was checked
    double check_seconds = 0;        ///< time of the check

    bool has_result() const { return status != "diverged" || keeps_last_good; }

    RunOutcome() = default;
    RunOutcome(const RunOutcome&) = default;
    RunOutcome(RunOutcome&&) = default;
    RunOutcome& operator=(const RunOutcome&) = default;
    RunOutcome& operator=(RunOutcome&&) = default;
    virtual ~RunOutcome() = default;  ///< virtual, since applications derive their outcomes from this struct
};

/// Returns the median: the upper one of two middle values; zero if there are no values.
template <class T>
T median(std::vector<T> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? T() : values[values.size() / 2];
}

/// The functions that the driver of an application calls when a run starts, and between rounds.
struct RunCallbacks {
    std::function<void(const RunOutcome& so_far)> on_start;  ///< called when device and plan are known
    std::function<void(const SweepRecord&)> on_round;
    std::function<bool()> interrupted;
};

}  // namespace lockstep
