// The functions of the C interface that build schedules, verify them, and return them as sets of edges.
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <filesystem>

#include "build_options.hpp"
#include "graph_use.hpp"
#include "lockstep/schedules/batches.hpp"
#include "lockstep/schedules/verify.hpp"
#include "outputs.hpp"
#include "pipeline.hpp"

using namespace lockstep;
using c::call;
using c::required;

namespace {

TimedSchedule* find(const lockstep_graph& graph, const std::string& name) {
    std::vector<TimedSchedule>& all = graph.file->schedules;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const TimedSchedule& s) { return s.schedule.name == name; });
    return found == all.end() ? nullptr : &*found;
}

const Schedule& known(const lockstep_graph& graph, const std::string& name) {
    if (const TimedSchedule* found = find(graph, name)) return found->schedule;
    std::string there;
    for (const TimedSchedule& s : graph.file->schedules)
        there += (there.empty() ? "" : ", ") + s.schedule.name;
    throw ScheduleError(
        fmt::format("the graph has no schedule {}; it has {}", name, there.empty() ? "none" : there),
        Failure::usage);
}

const Schedule& make(lockstep_graph& graph, const Builder& builder, const BuildOptions& options) {
    const Graph& g = graph.graph();
    if (const std::string why = why_not(builder, g.ends); !why.empty()) throw ScheduleError(why);
    check_memory(g, {&builder}, true, 0, [](const std::string&) {});
    PreprocessSeconds seconds;
    TimedSchedule made = build_verified(g, builder, options, seconds);
    std::erase_if(graph.file->schedules,
                  [&](const TimedSchedule& s) { return s.schedule.name == made.schedule.name; });
    graph.file->schedules.push_back(std::move(made));
    graph.proved.insert(builder.name);
    graph.is_summarised = false;
    return graph.file->schedules.back().schedule;
}

}  // namespace

namespace lockstep::c {

const Schedule& ensure_schedule(lockstep_graph& graph, const std::string& name, const BuildOptions& options) {
    const TimedSchedule* found = find(graph, name);
    if (!found) return make(graph, find_builder(name), options);
    if (!graph.proved.contains(name)) {
        const Verification v = verify(graph.graph(), found->schedule);
        if (!v.ok())
            throw Error(Failure::verification,
                        fmt::format("schedule {} failed verification: {}", name, v.problems[0]));
        graph.proved.insert(name);
    }
    return found->schedule;
}

void refuse_existing(const char* path, const char* const* options) {
    bool force = false;
    Fields fields;
    cli::list_force(fields, force);
    take_options(options, fields);
    std::error_code error;
    if (!force && std::filesystem::exists(path, error))
        throw Error(Failure::output, fmt::format("{} exists already; the option force replaces it", path));
}

}  // namespace lockstep::c

int lockstep_schedule(lockstep_graph* graph, const char* name, const char* const* options,
                      lockstep_progress progress, void* data) {
    return call([&] {
        lockstep_graph& g = required(graph, "graph");
        const Builder& builder = find_builder(&required(name, "name"));
        BuilderOptions tuning;
        std::uint64_t seed = 1;
        int wanted = 0;
        Fields fields;
        tuning.list(fields);
        fields.number("seed", seed, 0, ~std::uint64_t{0}, "");
        fields.number("threads", wanted, 0, cli::max_threads, "");
        c::take_options(options, fields);
        if (tuning.probe) throw cli::UsageError("probe is an option of lockstep-preprocess only");
        c::Progress(progress, data).note(fmt::format("scheduling {}", name));
        const std::lock_guard lock(g.mutex);
        const c::Threads threads(wanted > 0 ? wanted : c::threads_for(g.graph().edges()));
        make(g, builder, tuning.build(seed));
    });
}

int lockstep_verify(const lockstep_graph* graph, const char* name) {
    return call([&] {
        const lockstep_graph& g = required(graph, "graph");
        const std::lock_guard lock(g.mutex);
        const c::Threads threads(c::threads_for(g.graph().edges()));
        const Verification v = verify(g.graph(), known(g, &required(name, "name")));
        if (!v.ok()) throw Error(Failure::verification, fmt::format("schedule {}: {}", name, v.problems[0]));
        g.proved.insert(name);
    });
}

int lockstep_batches(const lockstep_graph* graph, const char* name, lockstep_result** result) {
    return call([&] {
        required(result, "result") = nullptr;
        const lockstep_graph& g = required(graph, "graph");
        const std::lock_guard lock(g.mutex);
        const c::Threads threads(c::threads_for(g.graph().edges()));
        const Batches batches = batches_of(g.graph(), known(g, &required(name, "name")));
        auto made = std::make_unique<lockstep_result>();
        made->add("order", batches.order.data(), batches.order.size(), LOCKSTEP_UINT64);
        made->add("offsets", batches.offsets.data(), batches.offsets.size(), LOCKSTEP_UINT64);
        *result = made.release();
    });
}
