// Applications that iterate along arcs, such as PageRank: every iteration computes the value of each vertex
// from the values of its in-neighbours. iteration.cpp has their options, the choice of a strategy, the run
// record and the JSON.
#pragma once

#include <map>
#include <memory>

#include "apps/frame/application.hpp"
#include "apps/frame/arcs.hpp"
#include "apps/frame/iteration_fwd.hpp"

namespace lockstep {

/// The functions of one application that iterates along arcs. A function that has a default is optional.
struct Iteration {
    /// Runs the operator with run_arcs(). Throws FormatError if the application cannot run on the graph.
    std::function<ArcRun(const Input& input, const Strategy& strategy, const ArcOptions& options,
                         const RunCallbacks& callbacks)>
        run;
    /// Compares the values of a run with those of a serial reference, for --verify. The values are by vertex;
    /// `run.values` is empty.
    std::function<Checked(const Graph& graph, const std::vector<float>& values, const ArcRun& run)> check;
    /// Processes the application's own parameters after all have been stored, and returns the default of
    /// --iterations. Throws Error (usage) if the parameters are impossible.
    std::function<std::uint64_t()> settle;
    /// Lists the application's own parameters, as Application::list() does.
    std::function<void(Fields& basic, Fields& more)> list = [](Fields&, Fields&) {};
    /// Returns a suffix of the name under which the fastest strategy is kept for later runs.
    std::function<std::string()> task_suffix = [] { return std::string(); };
    /// Returns the parameters that are written to the run record and are not listed as recorded.
    std::function<std::map<std::string, std::string>()> parameters = [] {
        return std::map<std::string, std::string>();
    };
    /// Adds the application's part to the report of a run.
    std::function<void(const ArcRun& run, Told& told)> tell = [](const ArcRun&, Told&) {};
};

/// Returns an application that iterates along arcs. It has the parameters in ArcOptions, and --iterations,
/// --output, --top and --verify.
std::unique_ptr<Application> make_iteration(const Spec& spec, Iteration parts);

/// Returns the result of a check as --verify reports it.
Checked report_check(const ArcCheck& check);

}  // namespace lockstep
