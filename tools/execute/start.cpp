// Begins a run: reads the graph if the input is a graph file, chooses the strategy, builds missing schedules,
// and loads the input.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "cli.hpp"
#include "execute.hpp"
#include "lockstep/executor/ranks.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/schedules/form.hpp"
#include "lockstep/schedules/undirected.hpp"
#include "lockstep/schedules/verify.hpp"
#include "read_input.hpp"

namespace lockstep {

namespace {

/// Throws UsageError if several processes were started for a run that they cannot share, since each process
/// would do the whole work.
void check_shared(const Application& application, const Request& request) {
    const int count = ranks().count();
    if (count == 1) return;
    const Spec& spec = application.spec();
    if (spec.shared && request.strategy == spec.shared) return;
    std::string all;
    for (const Spec* other : specs()) {
        if (other->shared)
            all +=
                fmt::format("{}--app {} --strategy {}", all.empty() ? "" : ", ", other->name, other->shared);
    }
    throw cli::UsageError(
        fmt::format("{} processes were started, but only {} runs on several processes, not {} with strategy "
                    "{}: start one process",
                    count, all, spec.name, request.strategy));
}

/// Returns the name for the schedule file of a graph file, in the same folder: web.h5 for web.txt.gz.
std::string schedule_file_of(std::filesystem::path graph) {
    static const std::set<std::filesystem::path> packed{".gz", ".bz2", ".xz", ".zst", ".lz4", ".zip"};
    if (packed.contains(graph.extension())) graph.replace_extension();
    return graph.replace_extension(".h5").string();
}

/// Reads the input into memory if it is a graph file, and the run needs no schedule or builds it itself.
/// Otherwise throws FormatError with the command that builds the schedule.
void read_graph(const Application& application, Request& request, const Preparation& preparation,
                const cli::Common& common) {
    if (!request.reading) return;
    const Spec& spec = application.spec();
    const bool square = visits_neighbours(strategies(spec.strategies).front().walk),
               open = request.strategy == "auto" || request.strategy == "tune" || request.strategy == "all";
    std::string schedules;
    if (request.order)
        schedules = *request.order == "given" ? "" : *request.order;
    else if (request.strategy == "all")
        schedules = "all";
    else if (const char* const named =
                 open ? spec.prepared : find_strategy(request.strategy, spec.strategies).schedule)
        schedules = named;
    if (square && !request.reading->shape)
        request.reading->shape = GraphShape::square, request.reading_words += " --shape square";
    if (request.reading->ends == Ends::sides && preparation.ends == Ends::vertices) {
        request.reading->ends = Ends::vertices, request.reading->shape = GraphShape::square;
        request.reading_words += " --ends vertices";
    }
    adapt_read_options(spec, *request.reading);
    const std::string command =
        fmt::format("lockstep-preprocess {} -o {}{}{}", request.file, schedule_file_of(request.file),
                    request.reading_words, schedules.empty() ? "" : " --schedule " + schedules);
    const bool made =
        // the schedule is built later, when the strategy is known
        preparation.building && !request.order && request.strategy != "all";
    if (!schedules.empty() && !made && (request.order || !open || !square))
        throw FormatError(
            request.file,
            "is a graph file, but the run needs a schedule file; build one and give it as the input: " +
                command);
    const cli::Stopwatch watch;
    PreprocessInput read = read_input(request.file, *request.reading, [&](const std::string& text) {
        cli::check_signal();
        cli::note(common, text);
    });
    ScheduleFileSummary summary = summarize_schedule_file(read.dataset, {}, read.seconds);
    request.graph =
        std::make_shared<ScheduleFile>(ScheduleFile{std::move(read.dataset), {}, std::move(summary)});
    cli::note(common, fmt::format("prepared the graph in {}, only for this run; to store it: {}",
                                  cli::duration(watch.seconds()), command));
}

/// Adapts a schedule file for edges (one set of vertices) to an application that works on arcs: replaces its
/// graph by the undirected graph with the same edges. Vertex orders remain, schedules of edges are removed.
/// Throws FormatError with the right command if the strategy requires a schedule of edges.
void enter_arcs(const Application& application, Request& request, const cli::Common& common) {
    const Spec& spec = application.spec();
    if (request.reading || runs_on_meshes(spec) ||
        !visits_neighbours(strategies(spec.strategies).front().walk))
        return;
    const ScheduleFileSummary summary = summary_of(request);
    if (summary.ends == Ends::sides) return;
    std::vector<std::string> orders;
    for (const ScheduleSummary& s : summary.schedules) {
        const Form* const form = form_of(s.name, Ends::vertices);
        if (form && !(form->has & Form::edges)) orders.push_back(s.name);
    }
    std::string needed;
    if (request.order)
        needed = *request.order == "given" ? "" : *request.order;
    else if (request.strategy != "auto" && request.strategy != "tune" && request.strategy != "all") {
        const char* const schedule = find_strategy(request.strategy, spec.strategies).schedule;
        if (schedule) needed = schedule;
    }
    if (!needed.empty() && std::ranges::find(orders, needed) == orders.end())
        throw FormatError(
            request.file,
            fmt::format("has one set of vertices, but {} needs the schedule \"{}\" of arcs; build another "
                        "file: lockstep-preprocess {} -o FILE --shape square --undirected --schedule {}",
                        request.order ? "--order" : "strategy " + request.strategy, needed,
                        summary.source.path, needed));
    const auto made = std::make_shared<ScheduleFile>(
        request.graph ? *request.graph : read_schedule_file(request.file, orders, true));
    made->dataset.graph = undirected(made->dataset.graph);
    std::erase_if(made->schedules, [](const TimedSchedule& s) { return !s.schedule.order.empty(); });
    made->summary = summarize_schedule_file(made->dataset, made->schedules, made->summary.seconds);
    request.graph = made;
    cli::note(common, fmt::format("note: {} has one set of vertices: each of its edges is read as two arcs",
                                  request.file));
}

/// Builds and verifies the schedule that the strategy requires, if this program has read the graph and the
/// schedule is missing.
void add_schedule(const std::optional<BuildOptions>& building, ScheduleFile& graph, const Strategy& strategy,
                  const cli::Common& common) {
    if (!strategy.schedule || !building) return;
    const bool there =
        std::any_of(graph.schedules.begin(), graph.schedules.end(),
                    [&](const TimedSchedule& s) { return strategy.schedule == s.schedule.name; });
    if (there) return;
    const Builder& builder = find_builder(strategy.schedule);
    if (const std::string why = why_not(builder, graph.dataset.graph.ends); !why.empty())
        throw ScheduleError(why);
    cli::note(common, fmt::format("scheduling {}", builder.name));
    const cli::Stopwatch watch;
    Schedule schedule = builder.build(graph.dataset.graph, *building);
    const double seconds = watch.seconds();
    const Verification found = verify_concurrency(graph.dataset.graph, schedule);
    if (!found.ok()) throw Error(Failure::verification, found.problems[0]);
    graph.schedules.push_back({std::move(schedule), seconds});
    graph.summary = summarize_schedule_file(graph.dataset, graph.schedules, graph.summary.seconds);
}

/// Runs all strategies whose schedules are in the file, one after another.
int execute_all(Application& application, const Request& given, const cli::Common& common) {
    if (given.output || !given.outputs.empty())
        throw cli::UsageError(
            "--strategy all writes no result files, because it has several results; give --record");
    const ScheduleFileSummary file = summary_of(given);
    std::string lacking;
    int runs = 0;
    for (const Strategy& strategy : strategies(application.spec().strategies)) {
        if (!runs_on(strategy, file)) {
            lacking += (lacking.empty() ? "" : ", ") + std::string(strategy.name);
            continue;
        }
        Request request = given;
        request.strategy = strategy.name;
        execute(application, request, common);
        ++runs;
    }
    if (!lacking.empty()) cli::note(common, fmt::format("without a schedule in {}: {}", given.file, lacking));
    if (runs == 0)
        throw ScheduleError(fmt::format("{} has none of the schedules that the strategies need", given.file));
    return 0;
}

}  // namespace

int execute(Application& application, const Request& given, const cli::Common& common) {
    Request request = given;
    enter_arcs(application, request, common);
    if (request.strategy == "all" && !request.reading) return execute_all(application, request, common);
    check_shared(application, request);
    const Preparation preparation = request.prepare ? request.prepare(common) : Preparation{};
    read_graph(application, request, preparation, common);
    // The GPU is initialized after the file has been read, because memory allocations are slow during its
    // initialization.
    std::future<void> gpu;
    const auto load = [&](const Request& of) {
        Strategy strategy = find_strategy(of.strategy, application.spec().strategies);
        if (!of.axes.empty()) strategy.axes = of.axes.c_str();
        if (of.graph) add_schedule(preparation.building, *of.graph, strategy, common);
        Input input(of, common, strategy);
        if (!gpu.valid()) gpu = wake(request.device);
        return input;
    };
    const bool tuned = request.strategy == "tune";
    if (request.strategy != "auto" && !tuned)
        return execute(application, request, common, {load(request), {}, {}, {}});
    const Choice choice = application.choose(request, common, tuned);
    cli::note(common, fmt::format("{}: {}", choice.key, choice.reason));
    Request chosen = request;
    chosen.axes = choice.axes;
    for (std::size_t i = 0;; ++i) {
        chosen.strategy = choice.strategies[i];
        Input input = load(chosen);
        const bool is_last = i + 1 == choice.strategies.size();
        const auto why = is_last || !choice.why_not ? std::nullopt : choice.why_not(input);
        if (!why) return execute(application, chosen, common, {std::move(input), choice, {}, {}});
        cli::note(common, fmt::format("{}: {} is not possible: {}", choice.key, chosen.strategy, *why));
    }
}

}  // namespace lockstep
