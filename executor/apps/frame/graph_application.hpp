// Base class of all applications on a graph or a mesh: options, choice of a strategy by `auto` and `tune`,
// and run record. repeats.hpp has the part of a run between plan and metrics.
#pragma once

#include <map>
#include <set>

#include "apps/frame/application.hpp"
#include "apps/frame/repeats.hpp"
#include "apps/frame/trials.hpp"
#include "lockstep/executor/frontier/axes.hpp"
#include "lockstep/executor/frontier/search.hpp"

namespace lockstep {

class GraphApplication : public Application {
public:
    using Application::Application;

    /// Lists --repeat, --tune-seconds, --tune-presets and the application's axes.
    void list(Fields& basic, Fields& more) override;
    void settle(const Fields& given, Request& request, int threads) override;
    Choice choose(const Request& request, const Common& common, bool by_trial) override {
        return by_trial ? choose_by_trial(request, common) : choose_by_rule(request);
    }
    std::unique_ptr<RunOutcome> run(const Input& input, const RunEvents& events) final;

protected:
    /// Makes a plan and runs it. A `trial` runs three times to measure the time, without checks and paths.
    virtual std::unique_ptr<RunOutcome> solve(const Input& input, const Strategy& strategy, bool trial,
                                              const RunCallbacks& callbacks) = 0;
    /// Checks a result with code that is independent of the kernels, for --verify.
    virtual CheckResult check(const Input& input, const RunOutcome& outcome) const = 0;
    /// Describes a run after its device has been chosen. Sets the rounds, seed, edges and parameters in the
    /// header of the run record.
    virtual RunText describe(const Input& input, RunHeader& header, const RunOutcome& so_far) const;
    /// A strategy and the reason for it
    using Rule = std::pair<std::string, std::string>;
    /// Returns the strategy that --strategy auto chooses by rule. `file` lists only the schedules that may be
    /// used.
    virtual Rule choose_rule(const ScheduleFileSummary& file, bool gpu) const = 0;
    /// Returns true if --strategy tune may try the strategy.
    virtual bool is_applicable(const Strategy& strategy) const { return strategy.deterministic(); }
    /// Returns true if a CPU uses the direction of rounds over active vertices; otherwise it always pushes.
    virtual bool pulls_on_cpu() const { return true; }
    /// Returns the name under which the fastest strategy is kept for later runs.
    virtual std::string task() const { return spec().name; }
    /// Returns additional members for a trial in the JSON.
    virtual nlohmann::ordered_json trial_json(const RunOutcome&) const {
        return nlohmann::ordered_json::object();
    }
    virtual ScheduleFileSummary summary_of(const Request& request) const;

    /// Returns the axes of rounds over active vertices that are options of the application.
    virtual std::vector<std::string> axes() const { return {}; }
    static std::vector<std::string> all_axes();
    /// Returns true if the operator has priorities.
    virtual bool by_priority() const { return false; }
    /// Returns those of axes() that a strategy uses; none if the strategy has no axes.
    virtual std::vector<std::string> axes_of_way(const Strategy& strategy) const {
        return strategy.axes ? axes() : std::vector<std::string>();
    }
    /// Records the name of the program that the strategy runs, if the device is a CPU. Several strategies may
    /// run the same program there.
    void record_program(const Strategy& strategy, const RunOutcome& so_far, RunHeader& header) const;

    const RunOptions& options() const { return options_; }
    std::uint64_t repeats(bool trial) const { return trial ? 3 : options_.repeats; }
    /// Returns the strategy's axes, replaced by those that are given as options. Throws UsageError if the
    /// strategy does not use a given axis, or if the combination is invalid.
    frontier::Axes axes_of(const Strategy& strategy) const;
    /// Returns the axes that are given as options.
    const frontier::AxisValues& given() const { return given_; }

private:
    /// The strategies to choose from, the most promising first. No two of them run the same program.
    struct CandidateSet {
        std::string graph_class;
        Device device;
        Rule rule;
        std::vector<std::string> candidates;
    };
    CandidateSet find_candidates(const Request& request) const;
    Choice choose_by_rule(const Request& request) const;
    Choice choose_by_trial(const Request& request, const Common& common);
    using Solve = std::function<std::unique_ptr<RunOutcome>(const Strategy&, nlohmann::ordered_json& report)>;
    frontier::Axes preset_with(const Strategy& strategy, const frontier::AxisValues& given) const;
    /// Returns the strategy's preset followed by `changes`; empty if there are no changes, or if they are
    /// invalid in combination with the given axes.
    std::string axes_with(const Strategy& strategy, const std::string& changes) const;
    /// Searches along the axes, beginning with the fastest strategy, which takes `seconds`.
    void search(const Strategy& start, double seconds, std::set<std::string>& known, bool gpu, Trials& trials,
                const Solve& solve) const;
    /// Returns the name of the program that a strategy runs on a CPU: equal for all strategies that run the
    /// same one.
    std::string cpu_program(const Strategy& strategy) const;
    /// Returns a name for the program that a strategy runs on a device: equal for strategies that run the
    /// same one.
    std::string program(const Strategy& strategy, bool gpu) const;

    RunOptions options_;
    std::map<std::string, std::optional<std::string>> axis_words_;  ///< values of the axis options
    int chunk_ = 1;
    frontier::AxisValues given_;
    bool presets_alone_ = false;  ///< whether --strategy tune tries the presets only
};

}  // namespace lockstep
