// A run of an application whose graph is in memory.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "apps/frame/application.hpp"
#include "call.hpp"
#include "execute.hpp"

namespace lockstep::c {

/// Parses the options of an application on a graph in memory. Throws UsageError, and as find_strategy.
cli::Values running_options(const Spec& spec, const std::vector<std::string>& options);
/// Has the application take its options. The graph's mutex is held.
Request request_of(Application& app, const std::vector<std::string>& options, lockstep_graph& graph);
/// Makes the schedule that a named strategy needs.
void make_needed(const Application& app, const Request& request, lockstep_graph& graph);

/// What to keep of a run, while it is there.
using Take = std::function<void(const Input&, const RunHeader&, const RunOutcome&, lockstep_result&,
                                nlohmann::ordered_json& json)>;
/// Runs it, or what is prepared; the result has the JSON, and what `take` adds. Throws as lockstep::execute, and Stopped.
std::unique_ptr<lockstep_result> execute(Application& app, Request request, const Progress& progress,
                                         const Take& take, std::optional<Prepared> prepared = {});

}  // namespace lockstep::c
