// The base of all applications of a graph, or of a mesh: what they can be told, which strategy `auto` and
// `tune` take, and what is recorded of a run. From its plan to its metrics a run goes by repeats.hpp.
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

    /// Lists --repeat, --tune-seconds and its axes.
    void list(Fields& basic, Fields& more) override;
    void settle(const Fields& given, Request& request, int threads) override;
    Choice choose(const Request& request, const Common& common, bool by_trial) override {
        return by_trial ? choose_by_trial(request, common) : choose_by_rule(request);
    }
    std::unique_ptr<RunOutcome> run(const Input& input, const RunCallbacks& callbacks) final {
        return solve(input, input.strategy, false, callbacks);
    }
    RunText describe(const Input& input, RunHeader& header, const RunOutcome& so_far) const override;

protected:
    /// Plans and runs. A `trial` runs three times for its time, without checks and paths.
    virtual std::unique_ptr<RunOutcome> solve(const Input& input, const Strategy& strategy, bool trial,
                                              const RunCallbacks& callbacks) = 0;
    /// Strategy and reason: what the rule of --strategy auto takes. The file has the schedules that may be
    /// walked.
    using Rule = std::pair<std::string, std::string>;
    virtual Rule rule(const ScheduleFileSummary& file, bool gpu) const = 0;
    /// Whether --strategy tune may try it.
    virtual bool suits(const Strategy& strategy) const { return strategy.deterministic(); }
    /// Whether a CPU heeds the direction of rounds over active vertices; else it pushes.
    virtual bool pulls_on_cpu() const { return true; }
    /// What the fastest is kept for.
    virtual std::string task() const { return spec().name; }
    /// What else the JSON says of a trial.
    virtual nlohmann::ordered_json trial_json(const RunOutcome&) const {
        return nlohmann::ordered_json::object();
    }
    virtual ScheduleFileSummary summary_of(const Request& request) const;

    /// The axes of rounds over active vertices that are options of it, and whether its operator has
    /// priorities.
    virtual std::vector<std::string> axes() const { return {}; }
    static std::vector<std::string> all_axes();
    virtual bool by_priority() const { return false; }
    /// Those of them that a strategy heeds; none where it has a way of its own.
    virtual std::vector<std::string> axes_of_way(const Strategy& strategy) const {
        return strategy.axes ? axes() : std::vector<std::string>();
    }
    /// Options that the record keeps.
    virtual std::map<std::string, std::string> parameters() const { return {}; }
    virtual std::uint64_t seed() const { return 0; }

    /// Records the program that the strategy is on a CPU, where several strategies are one there.
    void record_program(const Strategy& strategy, const RunOutcome& so_far, RunHeader& header) const;

    const RunOptions& options() const { return options_; }
    std::uint64_t repeats(bool trial) const { return trial ? 3 : options_.repeats; }
    /// The strategy's axes, and what is given instead. Throws UsageError where it has none, or they make no
    /// sense.
    frontier::Axes axes_of(const Strategy& strategy) const;
    /// The axes that are given.
    const frontier::AxisValues& given() const { return given_; }

private:
    /// What there is to choose from: strategies, the most promising first, each a program of its own.
    struct Field {
        std::string graph_class;
        Device device;
        Rule rule;
        std::vector<std::string> candidates;
    };
    Field field(const Request& request) const;
    Choice choose_by_rule(const Request& request) const;
    Choice choose_by_trial(const Request& request, const Common& common);
    using Solve = std::function<std::unique_ptr<RunOutcome>(const Strategy&, nlohmann::ordered_json& told)>;
    frontier::Axes preset_with(const Strategy& strategy, const frontier::AxisValues& given) const;
    /// The strategy's preset, and behind it changes that were found; empty where there are none, or where they
    /// make no sense with what is given.
    std::string axes_with(const Strategy& strategy, const std::string& changes) const;
    /// From the fastest of the strategies on, which takes so many seconds.
    void search(const Strategy& start, double seconds, std::set<std::string>& known, bool gpu, Trials& trials,
                const Solve& solve) const;
    /// Returns the program that a strategy is on a CPU, where several strategies are one there.
    std::string cpu_program(const Strategy& strategy) const;
    /// What runs it on a device, by its axes: one name for one program.
    std::string program(const Strategy& strategy, bool gpu) const;

    RunOptions options_;
    std::map<std::string, std::optional<std::string>> axis_words_;  ///< words of the axes that are given
    int chunk_ = 1;
    frontier::AxisValues given_;
    bool presets_alone_ = false;  ///< --strategy tune goes no further
};

}  // namespace lockstep
