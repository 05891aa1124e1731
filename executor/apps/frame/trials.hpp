// Tries strategies on a graph, and keeps the fastest one for later runs on graphs of its class on this
// device.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/frame/application.hpp"

namespace lockstep {

/// Returns the class of a graph; empty if it has no vertices. Graphs of a class have sizes, mean degrees and
/// maximum degrees within a factor of two, and have the same of the schedules that strategies for graphs use.
std::string graph_class(const ScheduleFileSummary& file);

/// Returns the strategy that was kept as the fastest for graphs of this class on this device, if it is one of
/// the `candidates`; otherwise the strategy of `rule`. `axes_of` returns the axes of the kept strategy with
/// its kept changes; empty if the changes do not apply.
Choice kept_or(
    const std::pair<std::string, std::string>& rule, const std::vector<std::string>& candidates,
    const std::function<std::string(const std::string& strategy, const std::string& changes)>& axes_of,
    const std::string& app, const DeviceInfo& device, const std::string& graph_class);

/// The trials of --strategy tune.
class Trials {
public:
    Trials(const Common& common, double most_seconds) : common_(common), most_seconds_(most_seconds) {}
    /// Runs one strategy and measures its time, unless the time limit is reached. `run` may add members for
    /// the JSON to `told`. If the strategy does not support the graph or the options (ScheduleError,
    /// UsageError), the reason is recorded. Returns the seconds, if the strategy ran. `changes`: its axes
    /// that differ from the preset.
    std::optional<double> attempt(
        const std::string& name,
        const std::function<std::unique_ptr<RunOutcome>(nlohmann::ordered_json& told)>& run,
        const std::string& changes = {});
    bool time_is_over() const { return watch_.seconds() >= most_seconds_; }
    /// Returns the ratio to another time below which a time counts as faster. On CPUs, whose cores are
    /// shared, it is 1/1.05, since smaller gains may be chance.
    double gain() const { return device_.kind == "cuda" ? 1 : 1 / 1.05; }
    /// Returns the fastest strategy with the changes of its axes; of several that are equal within gain(),
    /// the first. Keeps it for later runs if `for_later`. Throws ScheduleError if no strategy could be tried,
    /// and OutputError if the file cannot be written.
    Choice choice(const std::string& app, const std::string& graph_class, bool for_later) const;

private:
    const Common& common_;
    const Stopwatch watch_;
    const double most_seconds_;
    nlohmann::ordered_json tried_ = nlohmann::ordered_json::array();
    struct Found {
        double seconds;
        std::string name, changes;
    };
    std::vector<Found> found_;
    DeviceInfo device_;
};

/// Returns the fastest strategy for an application that updates edges. Tries the deterministic strategies
/// whose schedules are in the file; if there are none, those that lock. `run` makes three rounds. Throws
/// ScheduleError if no strategy can run.
Choice fastest_update(
    const Application& app, const Request& request, const Common& common, double most_seconds,
    const std::function<std::unique_ptr<RunOutcome>(const Input&, const RunCallbacks&)>& run);

}  // namespace lockstep
