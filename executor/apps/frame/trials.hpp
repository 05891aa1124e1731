// The trials of --strategy tune: runs candidate strategies on a graph, and stores the fastest one in the
// cache folder. Later runs on similar graphs and on the same device then use the stored strategy without
// trials.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/frame/application.hpp"

namespace lockstep {

/// Returns a name for the class of similar graphs to which a graph belongs; empty if the graph has no
/// vertices. Graphs of one class have sizes, mean degrees and maximum degrees within a factor of two, and
/// their files have the same schedules for strategies on graphs.
std::string graph_class(const ScheduleFileSummary& file);

/// Returns the strategy that earlier trials stored as the fastest for this application, device and class of
/// graphs, if the strategy is one of the `candidates`. Otherwise returns the strategy in `rule`. `axes_of`
/// returns the axes of a strategy with the stored changes, or an empty string if the changes no longer apply.
Choice kept_or(
    const std::pair<std::string, std::string>& rule, const std::vector<std::string>& candidates,
    const std::function<std::string(const std::string& strategy, const std::string& changes)>& axes_of,
    const std::string& app, const DeviceInfo& device, const std::string& graph_class);

/// The trials of one run: measures candidates until a time limit, and chooses the fastest.
class Trials {
public:
    Trials(const Common& common, double max_seconds) : common_(common), max_seconds_(max_seconds) {}
    /// Runs one strategy and measures its time, unless the time limit has passed. `run` may add members for
    /// the JSON to `report`. `changes` are the axes of the strategy that differ from its preset. Returns the
    /// seconds, or nullopt if the strategy did not run. If the strategy does not support the graph or the
    /// options (ScheduleError, UsageError), the reason is recorded for the JSON.
    std::optional<double> attempt(
        const std::string& name,
        const std::function<std::unique_ptr<RunOutcome>(nlohmann::ordered_json& report)>& run,
        const std::string& changes = {});
    bool time_is_over() const { return watch_.seconds() >= max_seconds_; }
    /// Returns the factor that a time must fall below, relative to another time, to count as faster: 1 on a
    /// GPU, 1/1.05 on a CPU, whose cores may be shared, so that smaller differences are noise.
    double gain() const { return device_.kind == "cuda" ? 1 : 1 / 1.05; }
    /// Returns the fastest strategy with its changed axes. Of several strategies whose times differ by less
    /// than gain(), returns the first. If `for_later`, stores the choice for later runs. Throws ScheduleError
    /// if no strategy could run, and OutputError if the cache file cannot be written.
    Choice choice(const std::string& app, const std::string& graph_class, bool for_later) const;

private:
    const Common& common_;
    const Stopwatch watch_;
    const double max_seconds_;
    nlohmann::ordered_json tried_ = nlohmann::ordered_json::array();
    struct TrialResult {
        double seconds;
        std::string name, changes;
    };
    std::vector<TrialResult> found_;
    DeviceInfo device_;
};

/// Chooses the fastest strategy for an application that updates both endpoints of edges. Tries the
/// deterministic strategies whose schedules are in the file; if there are none, tries the strategies with
/// locks. `run` executes three rounds. Throws ScheduleError if no strategy can run.
Choice fastest_update(
    const Application& app, const Request& request, const Common& common, double max_seconds,
    const std::function<std::unique_ptr<RunOutcome>(const Input&, const RunCallbacks&)>& run);

}  // namespace lockstep
