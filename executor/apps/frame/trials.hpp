// Strategies tried on a graph, and what was fastest kept for graphs of its class on this device.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/frame/application.hpp"

namespace lockstep {

/// Graphs of a class have sizes, mean and largest degrees within a factor of two, and the same
/// schedules that strategies of graphs run on. Empty: of nothing, or not known.
std::string graph_class(const ScheduleFileSummary& file);

/// What was the fastest when an application tried graphs of this class on this device, where that is one of
/// `candidates`, with what `axes_of` makes of the changes that were found, if anything; else what a rule takes,
/// and why.
Choice kept_or(
    const std::pair<std::string, std::string>& rule, const std::vector<std::string>& candidates,
    const std::function<std::string(const std::string& strategy, const std::string& changes)>& axes_of,
    const std::string& app, const DeviceInfo& device, const std::string& graph_class);

/// The trials of --strategy tune.
class Trials {
public:
    Trials(const Common& common, double most_seconds) : common_(common), most_seconds_(most_seconds) {}
    /// Runs one, unless the time is over, and takes its time; `told` is what else the JSON says of it. One
    /// that the graph or the options do not suit (ScheduleError, UsageError) is noted as such. Returns its
    /// seconds, if it ran. `changes`: its axes that are not the strategy's.
    std::optional<double> attempt(
        const std::string& name,
        const std::function<std::unique_ptr<RunOutcome>(nlohmann::ordered_json& told)>& run,
        const std::string& changes = {});
    bool time_is_over() const { return watch_.seconds() >= most_seconds_; }
    /// Of less time than this share one may say that it is faster. Cores are shared: what is ahead by less is
    /// so by chance.
    double gain() const { return device_.kind == "cuda" ? 1 : 1 / 1.05; }
    /// The fastest, with the changes of its axes, kept where it is `for_later` runs; of equals the first. Throws ScheduleError where none
    /// could be tried, OutputError.
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

/// For applications of updates of edges: the fastest of three rounds, as `run` makes them, among the strategies that are
/// deterministic and in the file; without any, of those that lock. Throws ScheduleError where none can run.
Choice fastest_update(
    const Application& app, const Request& request, const Common& common, double most_seconds,
    const std::function<std::unique_ptr<RunOutcome>(const Input&, const RunCallbacks&)>& run);

}  // namespace lockstep
