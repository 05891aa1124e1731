// Runs applications on a graph in memory, for the functions of the C interface.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "apps/frame/application.hpp"
#include "call.hpp"
#include "command.hpp"
#include "execute.hpp"

namespace lockstep::c {

/// Parses the options of an application on a graph in memory, and stores those that lockstep-execute itself
/// has in `taken`. Throws UsageError, and the errors of find_strategy.
cli::Values running_options(const Spec& spec, const std::vector<std::string>& options, ExecuteOptions& taken);
/// Returns the request for a run, and passes the options to the application. The caller holds the graph's
/// mutex.
Request request_of(Application& app, const std::vector<std::string>& options, lockstep_graph& graph);
/// Builds the schedule that the strategy in the request requires, if the graph does not have it.
void make_needed(const Application& app, const Request& request, lockstep_graph& graph);

/// A function that copies those results of a run that the caller receives. It is called while the results of
/// the run still exist.
using Take = std::function<void(const Input&, const RunHeader&, const RunOutcome&, lockstep_result&,
                                nlohmann::ordered_json& json)>;
/// Runs the application on the graph of the request, or on `prepared` if it is given. The returned object has
/// the JSON of the run, and everything that `take` adds. Throws the errors of lockstep::execute, and
/// StoppedByCallback.
std::unique_ptr<lockstep_result> execute(Application& app, Request request, const Progress& progress,
                                         const Take& take, std::optional<Prepared> prepared = {});

}  // namespace lockstep::c
