// Applications that compute a structure of a graph, such as its components: what such an application adds to
// the frame, and the function that makes it.
#pragma once

#include "apps/frame/application.hpp"
#include "lockstep/executor/frontier/run.hpp"
#include "lockstep/executor/structure/round_axes.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep {

/// A strategy, a graph and a device, for which an application builds a runner.
struct StructureRun {
    const Strategy& strategy;
    const structure::Undirected& graph;  ///< empty for rounds over active vertices, which have a plan instead
    frontier::Axes axes;                 ///< preset of the strategy, replaced by the axes that are options
    Device device;
    int threads;  ///< number of CPU threads

    /// Returns the axes as those of rounds of a structure. Throws UsageError if the loop is neither `host`
    /// nor `outlined`.
    structure::RoundAxes round_axes() const;
};

/// The parts of one application. make_structure() adds the options, the choice of a strategy, the run record
/// and the JSON that all applications of this family share. Members with a default are optional.
struct Structure {
    using Columns = std::vector<ResultColumn>;
    /// A strategy and the reason for it.
    using Rule = std::pair<std::string, std::string>;
    /// The result in the JSON, and as a text.
    struct Summary {
        nlohmann::ordered_json metrics;
        std::string text;
    };

    /// Lists the application's own options.
    std::function<void(Fields& basic, Fields& more)> list_options = {};
    /// Processes the options after all have been stored. Throws UsageError if they contradict each other.
    std::function<void(const Fields& given, const Application::Results& results)> settle_options = {};
    /// Adds the seed and the parameters of the application to the header of the run record.
    std::function<void(RunHeader& header)> describe_run = {};
    /// The names of the axes that are options; empty: all axes.
    std::vector<std::string> axes = {};
    /// The axes of the strategies that have a preset, but no rounds over active vertices; empty: the same as
    /// `axes`.
    std::vector<std::string> own_axes = {};
    /// Whether a CPU uses the direction of rounds over active vertices; otherwise it always pushes.
    bool pulls_on_cpu = true;
    /// Whether the structure depends on the weights of the edges.
    bool weighted = false;
    /// The message of the UsageError that refuses --order; nullptr: the application accepts an order.
    const char* refusal_of_order = nullptr;

    /// Returns the strategy that --strategy auto chooses by rule. `file` lists only the schedules that may be
    /// used.
    std::function<Rule(const ScheduleFileSummary& file, bool gpu)> choose_strategy;
    /// Builds the runner of a strategy of this structure.
    std::function<structure::Runner(const StructureRun& run)> make_runner;
    /// Builds the runner of a strategy by rounds over active vertices; empty: there are no such strategies.
    std::function<frontier::Runner(const StructureRun& run, const frontier::Expand& plan)> make_rounds = {};
    /// Maps a value of these rounds to a value of the Solution; empty: they are equal.
    std::function<std::uint32_t(std::uint32_t value)> convert_value = {};
    /// Computes the values of a Solution serially, for --device reference.
    std::function<std::vector<std::uint32_t>(const Graph& graph)> compute_reference;
    /// Returns the result by vertex for the values of a Solution. The result hash is computed from it. The
    /// measured time does not include this call.
    std::function<Columns(const Graph& graph, std::vector<std::uint32_t> values)> make_columns;
    /// Returns the reason why the columns are not the result; empty if they are right.
    std::function<std::string(const Graph& graph, const Columns& columns)> find_problem;
    /// A description of the property that `find_problem` verifies.
    std::string verified_property;
    /// Returns a summary of the result.
    std::function<Summary(const Columns& columns)> summarize;
};

/// Makes an application of its parts.
std::unique_ptr<Application> make_structure(const Spec& spec, Structure parts);

/// Builds a runner by rounds over active vertices on the device of `run`, for an operator.
template <frontier::FrontierOperator Op>
frontier::Runner make_round_runner(const StructureRun& run, const frontier::Expand& plan, const Op& op) {
    return on_device(
        run.device, [&] { return frontier::cpu_runner_of(plan, run.axes, op, run.threads); },
        [&] { return frontier::cuda_runner_of(plan, run.axes, op); });
}

/// Returns the values of the column at `index`, which are of type T.
template <class T>
const std::vector<T>& values_in(const Structure::Columns& columns, std::size_t index = 0) {
    return std::get<std::vector<T>>(columns[index].values);
}

}  // namespace lockstep
