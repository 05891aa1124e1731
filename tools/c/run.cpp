// Runs applications on a graph in memory. The options are texts, as on the command line of lockstep-execute.
#include "run.hpp"

#include <fmt/format.h>

#include <array>

#include "cuda.hpp"
#include "graph_use.hpp"

using namespace lockstep;
using c::call;
using c::required;

namespace lockstep::c {

namespace {

using Json = nlohmann::ordered_json;

/// Throws UsageError if an option is given that applies only to files or to a command line.
void refuse_of_programs(const cli::Values& values) {
    for (const char* name : {"file", "app", "strategies", "output", "record", "lock", "top", "output-cols",
                             "output-edges", "vertices", "rows", "cols", "edges", "model", "checkpoint"}) {
        if (values.count(name) && !values[name].defaulted())
            throw cli::UsageError(fmt::format("{} is an option of the programs only", name));
    }
}

void add_column(lockstep_result& result, const ResultColumn& column) {
    const auto type = std::array{LOCKSTEP_FLOAT32, LOCKSTEP_UINT32, LOCKSTEP_UINT64}[column.values.index()];
    std::visit([&](const auto& values) { result.add(column.name, values.data(), values.size(), type); },
               column.values);
}

}  // namespace

cli::Values running_options(const Spec& spec, const std::vector<std::string>& options,
                            ExecuteOptions& taken) {
    const cli::Values values = values_of(options, cli::options_of(execute_program(&spec)));
    refuse_of_programs(values);
    cli::refuse_input_options(taken.take(values), "memory", {"nonnegative", "memory"});
    if (taken.strategy == "all") throw cli::UsageError("strategy=all is supported by the programs only");
    if (taken.strategy != "auto" && taken.strategy != "tune") find_strategy(taken.strategy, spec.strategies);
    return values;
}

Request request_of(Application& app, const std::vector<std::string>& options, lockstep_graph& graph) {
    ExecuteOptions taken;
    const cli::Values values = running_options(app.spec(), options, taken);
    Request request;
    request.program = "liblockstep";
    request.file = "memory";
    request.strategy = taken.strategy;
    read_running(taken.running, values, app, request);
    request.graph = graph.file;
    return request;
}

void make_needed(const Application& app, const Request& request, lockstep_graph& graph) {
    std::string needed = request.order.value_or("given");
    if (!request.order && request.strategy != "auto" && request.strategy != "tune") {
        const char* const schedule = find_strategy(request.strategy, app.spec().strategies).schedule;
        if (schedule) needed = schedule;
    }
    if (needed != "given") ensure_schedule(graph, needed);
}

std::unique_ptr<lockstep_result> execute(Application& app, Request request, const Progress& progress,
                                         const Take& take, std::optional<Prepared> prepared) {
    auto result = std::make_unique<lockstep_result>();
    bool stopped = false;
    Listener listener;
    listener.continues = [&](std::uint64_t done, std::uint64_t total) {
        stopped = stopped || !progress.round(done, total);
        return !stopped;
    };
    listener.take = [&](const Input& input, const RunHeader& header, const RunOutcome& outcome,
                        const Json& report_json) {
        Json json = report_json;
        take(input, header, outcome, *result, json);
        result->json = cli::json_text(json, -1);
    };
    request.listener = &listener;
    const cli::Common common = progress.common();
    if (prepared)
        lockstep::execute(app, request, common, std::move(*prepared));
    else
        lockstep::execute(app, request, common);
    if (stopped) throw StoppedByCallback();
    return result;
}

}  // namespace lockstep::c

int lockstep_run(lockstep_graph* graph, const char* application, const char* const* options,
                 lockstep_progress progress, void* data, lockstep_result** result) {
    return call([&] {
        required(result, "result") = nullptr;
        lockstep_graph& g = required(graph, "graph");
        const std::string name = &required(application, "application");
        if (c::runs_on_cuda(options))
            return c::passed(c::in_cuda(&lockstep_run, "lockstep_run")(graph, application, options, progress,
                                                                       data, result));
        const Spec& spec = find_spec(name);
        if (name == "sgd" || name == "update")
            throw cli::UsageError(fmt::format("{} has a separate function: {}", name,
                                              name == "sgd" ? "lockstep_fit" : "lockstep_update"));
        if (runs_on_meshes(spec))
            throw cli::UsageError(name + " needs mesh files: run it with lockstep-execute");
        const std::lock_guard lock(g.mutex);
        if (g.graph().shape != GraphShape::square)
            throw Error(Failure::usage, fmt::format("{} requires a square graph, whose rows and columns are "
                                                    "one set of vertices: create the graph with shape=square",
                                                    name));
        const c::CallGuard running;
        const std::unique_ptr<Application> app = spec.make(spec);
        const Request request = c::request_of(*app, c::list_of(options), g);
        c::make_needed(*app, request, g);
        c::summary(g);
        auto made = c::execute(*app, request, {progress, data},
                               [&](const Input&, const RunHeader&, const RunOutcome& outcome,
                                   lockstep_result& arrays, nlohmann::ordered_json& json) {
                                   for (const ResultColumn& column : outcome.columns) {
                                       c::add_column(arrays, column);
                                       json["columns"][column.name] = {{"unreached", column.unreached},
                                                                       {"vertices", column.are_vertices}};
                                   }
                               });
        *result = made.release();
    });
}
