// The base of applications that compute a structure of a graph, such as its connected components or a
// spanning forest. An application fills a struct StructureParts with its functions, and make_structure() adds
// the options, the choice of a strategy, the run record and the JSON that these applications share.
#pragma once

#include "apps/frame/application.hpp"
#include "lockstep/executor/frontier/run.hpp"
#include "lockstep/executor/structure/round_axes.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep {

/// The strategy, the graph and the device of a run, for which an application makes a runner.
struct StructureRun {
    const Strategy& strategy;
    /// The graph; empty if the strategy runs in rounds over active vertices, whose plan then has the arcs.
    const structure::Undirected& graph;
    frontier::Axes axes;  ///< preset of the strategy, with the axes that are given as options
    Device device;
    int threads;  ///< number of CPU threads

    /// Returns the axes in the type that the algorithms for structures use. Throws UsageError if the loop of
    /// the axes is neither `host` nor `outlined`.
    structure::RoundAxes round_axes() const;
};

/// The functions and properties that are specific to one application. Members with a default need not be set.
struct StructureParts {
    using Columns = std::vector<ResultColumn>;
    /// The name of a strategy, and the reason for choosing it.
    using Rule = std::pair<std::string, std::string>;
    /// A summary of the result: metrics for the JSON, and a text for the closing line.
    struct Summary {
        nlohmann::ordered_json metrics;
        std::string text;
    };

    /// Adds the application's own options to the lists of options.
    std::function<void(Fields& basic, Fields& more)> list_options = {};
    /// Checks the options after all options have been stored. Throws UsageError if they contradict each
    /// other.
    std::function<void(const Fields& given, const Application::Results& results)> settle_options = {};
    /// Stores the seed and the parameters of the application in the header of the run record.
    std::function<void(RunHeader& header)> describe_run = {};
    /// The names of those axes of rounds over active vertices that are options of this application; empty:
    /// all axes.
    std::vector<std::string> axes = {};
    /// The names of the axes that apply to strategies with a preset of axes, but without rounds over active
    /// vertices; empty: the names in `axes`.
    std::vector<std::string> own_axes = {};
    /// Whether the rounds over active vertices can pull values from neighbours on a CPU; otherwise they
    /// always push there.
    bool pulls_on_cpu = true;
    /// Whether the structure depends on the weights of the edges.
    bool weighted = false;
    /// The error message if --order is given; nullptr: the application supports --order.
    const char* refusal_of_order = nullptr;

    /// Returns the strategy that --strategy auto chooses. `file` lists only the schedules that the run may
    /// use.
    std::function<Rule(const ScheduleFileSummary& file, bool gpu)> choose_strategy;
    /// Makes the runner of a strategy that has an algorithm for this structure.
    std::function<structure::Runner(const StructureRun& run)> make_runner;
    /// Makes the runner of a strategy that runs an operator in rounds over active vertices; empty if there is
    /// no such strategy.
    std::function<frontier::Runner(const StructureRun& run, const frontier::Expand& plan)> make_rounds = {};
    /// Converts a value that the rounds over active vertices have computed into a value of the Solution;
    /// empty: no conversion.
    std::function<std::uint32_t(std::uint32_t value)> convert_value = {};
    /// Computes the values of the Solution serially, for --device reference.
    std::function<std::vector<std::uint32_t>(const Graph& graph)> compute_reference;
    /// Converts the values of a Solution into the result: columns of values by vertex. The result hash is
    /// computed from the columns. The conversion is not part of the measured time.
    std::function<Columns(const Graph& graph, std::vector<std::uint32_t> values)> make_columns;
    /// Verifies the columns of a result. Returns a description of the first error, or an empty string.
    std::function<std::string(const Graph& graph, const Columns& columns)> find_problem;
    /// A text that describes the property that `find_problem` verifies.
    std::string verified_property;
    /// Summarizes the result for the report of a run.
    std::function<Summary(const Columns& columns)> summarize;
};

/// Makes the application that `spec` and `parts` describe.
std::unique_ptr<Application> make_structure(const Spec& spec, StructureParts parts);

/// Makes a runner that runs an operator in rounds over active vertices, on the device of `run`.
template <frontier::FrontierOperator Op>
frontier::Runner make_round_runner(const StructureRun& run, const frontier::Expand& plan, const Op& op) {
    return on_device(
        run.device, [&] { return frontier::cpu_runner_of(plan, run.axes, op, run.threads); },
        [&] { return frontier::cuda_runner_of(plan, run.axes, op); });
}

/// Returns the values in the result column with this index, whose type must be T.
template <class T>
const std::vector<T>& values_of_column(const StructureParts::Columns& columns, std::size_t index = 0) {
    return std::get<std::vector<T>>(columns[index].values);
}

}  // namespace lockstep
