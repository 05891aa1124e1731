#include "pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli.hpp"
#include "lockstep/formats/cache_folder.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/memory.hpp"
#include "lockstep/schedules/verify.hpp"

namespace lockstep {

namespace {

/// Bytes of the graph, of the schedules kept until they are written, and of the hungriest builder or
/// of the proof.
EdgeId estimate(const Graph& graph, const std::vector<const Builder*>& builders, bool verify) {
    const EdgeId m = graph.edges(), n = EdgeId{graph.rows} + graph.cols;
    EdgeId working = verify ? 12 : 0, kept = 0;
    for (const Builder* builder : builders) {
        working = std::max(working, builder->bytes_per_edge);
        kept += builder->bytes_per_edge ? 8 * m : 4 * n;  // an edge order or a vertex order
    }
    return m * (graph.value.empty() ? 4 : 8) + graph.input_order.size() * 8 + kept + working * m + 60 * n;
}

/// Refuses more blocks than there are vertices to put in.
void check_bounds(const Graph& graph, const BuildOptions& build) {
    const auto at_most = [](const char* option, EdgeId value, EdgeId most, const char* what) {
        if (value > most)
            throw Error(Failure::usage,
                        fmt::format("--{} {}: the graph has {} {}", option, value, cli::grouped(most), what));
    };
    at_most("item-blocks", build.item_blocks, graph.cols, "items (columns)");
    at_most("user-blocks", build.user_blocks, graph.rows, "users (rows)");
    at_most("groups", build.groups, std::min(graph.rows, graph.cols), "vertices on its smaller side");
    at_most("hub-items", build.hub_items, graph.cols, "items (columns)");
}

void prove(const Graph& graph, const Schedule& schedule) {
    const Verification v = verify(graph, schedule);
    if (v.ok()) return;
    throw Error(Failure::verification,
                "schedule " + schedule.name + " is not exact (" + (v.problems.empty() ? "" : v.problems[0]) +
                    "); nothing was written. This is an error of Lockstep: please report it");
}

/// By its own name, not by "all".
bool asked_for(const PreprocessRequest& request, std::string_view schedule) {
    return std::find(request.schedules.begin(), request.schedules.end(), schedule) != request.schedules.end();
}

}  // namespace

std::vector<const Builder*> requested_builders(const std::vector<std::string>& names) {
    const bool all = std::find(names.begin(), names.end(), "all") != names.end();
    std::vector<const Builder*> wanted;
    for (const std::string& name : names) {
        if (name != "all") find_builder(name);  // refuses unknown names
    }
    for (const Builder& builder : builders()) {
        if (all || std::find(names.begin(), names.end(), builder.name) != names.end())
            wanted.push_back(&builder);
    }
    return wanted;
}

PreprocessResult preprocess(const PreprocessRequest& request,
                            const std::function<void(const std::string&)>& stage) {
    const std::vector<const Builder*> wanted = requested_builders(request.schedules);
    PreprocessResult result;

    stage("reading " + request.input.string());
    Dataset dataset;
    std::vector<TimedSchedule> schedules;
    cli::Stopwatch watch;
    InputFile input(request.input, request.read.interruption);
    if (input.is_lockstep_hdf5()) {
        ScheduleFile file = read_schedule_file(request.input);
        dataset = std::move(file.dataset);
        result.seconds = file.summary.seconds;
        for (TimedSchedule& old : file.schedules) {
            const bool rebuilt = std::any_of(wanted.begin(), wanted.end(),
                                             [&](const Builder* b) { return old.schedule.name == b->name; });
            if (!rebuilt) schedules.push_back(std::move(old));
        }
    } else {
        dataset = read_dataset(input, request.read);
        result.seconds.read = watch.seconds();
    }
    const Graph& graph = dataset.graph;
    const MaxDegree degree = max_degree(graph);
    stage(fmt::format("{} rows x {} columns, {} edges, largest degree {} (rows) / {} (columns)",
                      cli::grouped(graph.rows), cli::grouped(graph.cols), cli::grouped(graph.edges()),
                      cli::grouped(degree.row), cli::grouped(degree.col)));
    if (!dataset.source.note.empty()) stage("note: " + dataset.source.note);
    if (dataset.source.archive_files > 1) {
        stage(fmt::format("note: read {}, of {} files in the archive", dataset.source.compression,
                          cli::grouped(dataset.source.archive_files)));
    }
    if (dataset.source.repeats) {
        stage(fmt::format("note: {} repeated pairs ({})", cli::grouped(dataset.source.repeats),
                          dataset.source.repeat_policy));
    }

    check_bounds(graph, request.build);
    result.estimated_bytes = estimate(graph, wanted, request.verify);
    const EdgeId limit = request.memory_limit ? request.memory_limit : physical_memory();
    stage(fmt::format("memory: about {} estimated, {} allowed",
                      cli::bytes(static_cast<double>(result.estimated_bytes)),
                      cli::bytes(static_cast<double>(limit))));
    if (result.estimated_bytes > limit) {
        throw Error(fmt::format(
            "scheduling needs about {} of memory, but {} are allowed; ask for fewer schedules at once (a "
            "schedule file can be "
            "given as input to add to it), or raise --memory",
            cli::bytes(static_cast<double>(result.estimated_bytes)), cli::bytes(static_cast<double>(limit))));
    }

    std::set<std::string> proved;
    for (const Builder* builder : wanted) {
        stage(std::string("scheduling ") + builder->name);
        watch = {};
        try {
            Schedule schedule = builder->build(graph, request.build);
            schedules.push_back({std::move(schedule), watch.seconds()});
        } catch (const NoLocality& e) {
            if (asked_for(request, builder->name)) throw;
            stage(std::string("note: left out ") + e.what());
            continue;
        }
        if (request.verify) {
            watch = {};
            prove(graph, schedules.back().schedule);
            proved.insert(builder->name);
            result.seconds.verify += watch.seconds();
        }
    }
    result.seconds.schedule = 0;
    for (const TimedSchedule& s : schedules) result.seconds.schedule += s.seconds;

    stage("writing " + request.output.string());
    if (!request.times) {
        dataset.source.seconds = 0;
        for (TimedSchedule& s : schedules) s.seconds = 0;
    }
    const auto times = request.times ? std::optional(result.seconds) : std::nullopt;
    result.seconds.write = write_schedule_file(request.output, dataset, schedules, times, request.deflate);
    result.file = read_schedule_file_summary(request.output);
    for (const ScheduleSummary& s : result.file.schedules) {
        if (proved.contains(s.name)) remember_proof(result.file.graph_hash, s.hash);
    }
    return result;
}

}  // namespace lockstep
