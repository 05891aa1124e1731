// The base of applications that iterate along arcs, such as PageRank. Every iteration computes the value of
// each vertex from the values of its in-neighbours. An application fills a struct IterationParts with its
// functions; iteration.cpp adds the common options, the choice of a strategy, the run record and the JSON.
#pragma once

#include <map>
#include <memory>

#include "apps/frame/application.hpp"
#include "apps/frame/arcs.hpp"
#include "apps/frame/iteration_fwd.hpp"

namespace lockstep {

/// The functions that are specific to one application. Functions with a default need not be set.
struct IterationParts {
    /// Runs the application's operator on the graph by means of run_arcs(). Throws FormatError if the
    /// application cannot run on the graph.
    std::function<ArcRun(const Input& input, const Strategy& strategy, const ArcOptions& options,
                         const RunCallbacks& callbacks)>
        run;
    /// Compares the result of a run with a serial reference, for --verify. `values` has the result by vertex
    /// of the graph; `run.values` has been moved away and is empty.
    std::function<CheckResult(const Graph& graph, const std::vector<float>& values, const ArcRun& run)> check;
    /// Checks the application's own parameters after all parameters have been stored, and returns the default
    /// number of iterations. Throws Error (usage) if a parameter is out of range.
    std::function<std::uint64_t()> settle;
    /// Adds the application's own parameters to the lists of parameters, as Application::list() does.
    std::function<void(Fields& basic, Fields& more)> list = [](Fields&, Fields&) {};
    /// Returns a suffix for the name of the task. The fastest strategy of --strategy tune is stored under
    /// this name, so a suffix separates runs whose fastest strategies differ.
    std::function<std::string()> task_suffix = [] { return std::string(); };
    /// Returns those parameters for the run record that `list` does not mark as recorded.
    std::function<std::map<std::string, std::string>()> parameters = [] {
        return std::map<std::string, std::string>();
    };
    /// Adds the application's own results to the report of a run.
    std::function<void(const ArcRun& run, RunReport& report)> add_to_report = [](const ArcRun&, RunReport&) {
    };
};

/// Makes an application that iterates along arcs. Its options are the application's own ones, those in
/// ArcOptions, and --iterations, --output, --top and --verify.
std::unique_ptr<Application> make_iteration(const Spec& spec, IterationParts parts);

/// Converts the result of check_values() into the report for --verify.
CheckResult report_check(const ArcCheck& check);

}  // namespace lockstep
