#include "pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <set>

#include "cli.hpp"
#include "lockstep/formats/cache_folder.hpp"
#include "lockstep/formats/memory.hpp"
#include "lockstep/schedules/verify.hpp"

namespace lockstep {

namespace {

/// Returns the estimated memory in bytes: the graph, the finished schedules, which stay in memory until they
/// are written, and the working memory of the builder that needs most, or of the verification.
EdgeId estimate(const Graph& graph, const std::vector<const Builder*>& builders, bool verify) {
    const EdgeId m = graph.edges(), n = EdgeId{graph.rows} + graph.cols;
    EdgeId working = verify ? 12 : 0, kept = 0;
    for (const Builder* builder : builders) {
        working = std::max(working, builder->bytes_per_edge);
        // A schedule is an order of the edges or, if the builder needs no memory per edge, of the vertices.
        kept += builder->bytes_per_edge ? 8 * m : 4 * n;
    }
    return m * (graph.value.empty() ? 4 : 8) + graph.input_order.size() * 8 + kept + working * m + 60 * n;
}

/// Throws Error (usage) if more blocks, groups or hub items are requested than the graph has vertices.
void check_bounds(const Graph& graph, const BuildOptions& build) {
    const auto at_most = [](const char* option, EdgeId value, EdgeId most, const char* what) {
        if (value > most)
            throw Error(Failure::usage, fmt::format("--{} {}: the graph has {} {}", option, value,
                                                    cli::group_digits(most), what));
    };
    const bool turned = build.resident == Resident::users;  // then --item-blocks is the number of user blocks
    if (build.item_blocks != BuildOptions::by_cost)
        at_most("item-blocks", build.item_blocks, turned ? graph.rows : graph.cols,
                turned ? "users (rows)" : "items (columns)");
    at_most("user-blocks", build.user_blocks, turned ? graph.cols : graph.rows,
            turned ? "items (columns)" : "users (rows)");
    at_most("groups", build.groups, std::min(graph.rows, graph.cols), "vertices on its smaller side");
    at_most("hub-items", build.hub_items, graph.cols, "items (columns)");
}

/// Verifies a schedule. Throws Error (verification) if it violates the contract.
void require_verified(const Graph& graph, const Schedule& schedule) {
    const Verification v = verify(graph, schedule);
    if (v.ok()) return;
    throw Error(Failure::verification,
                "schedule " + schedule.name + " failed verification (" +
                    (v.problems.empty() ? "" : v.problems[0]) +
                    "); nothing was written. This is an error of Lockstep: please report it");
}

/// Prints a note if schedules for two sides are built for a square graph: such a schedule lets two edges run
/// concurrently that have the same vertex once as row and once as column.
void note_two_sides(const Graph& graph, const std::vector<const Builder*>& builders, const Stage& stage) {
    if (graph.shape != GraphShape::square || graph.ends == Ends::vertices) return;
    for (const Builder* builder : builders) {
        if (builder->form.disjoint != Disjoint::both) continue;
        return stage(
            "note: the schedules are for two sides: concurrent edges share no row and no column, but a "
            "vertex of this square graph is both a row and a column, with separate states. If each vertex "
            "has one state, use --ends vertices");
    }
}

/// Returns whether the user has requested this schedule by name, not by "all".
bool is_requested(const PreprocessRequest& request, std::string_view schedule) {
    return std::find(request.schedules.begin(), request.schedules.end(), schedule) != request.schedules.end();
}

}  // namespace

std::vector<const Builder*> requested_builders(const std::vector<std::string>& names) {
    const bool all = std::find(names.begin(), names.end(), "all") != names.end();
    std::vector<const Builder*> wanted;
    for (const std::string& name : names) {
        if (name != "all") find_builder(name);  // throws if there is no such builder
    }
    for (const Builder& builder : builders()) {
        if (all || std::find(names.begin(), names.end(), builder.name) != names.end())
            wanted.push_back(&builder);
    }
    return wanted;
}

EdgeId check_memory(const Graph& graph, const std::vector<const Builder*>& builders, bool verify,
                    EdgeId limit, const Stage& stage, bool bounded) {
    const EdgeId estimated = estimate(graph, builders, verify);
    if (limit == 0) limit = physical_memory();
    const auto shown = [](EdgeId bytes) { return cli::bytes(static_cast<double>(bytes)); };
    stage(fmt::format("memory: about {} estimated, {} allowed{}", shown(estimated), shown(limit),
                      bounded && estimated > limit ? "; the rest goes to temporary files" : ""));
    if (estimated > limit && !bounded) {
        throw Error(
            fmt::format("scheduling needs about {} of memory, but {} are allowed; build fewer schedules per "
                        "run (a schedule file as input is extended), or raise --memory",
                        shown(estimated), shown(limit)));
    }
    for (const Builder* builder : builders) {
        const EdgeId own = builder->library_bytes_per_edge * graph.edges();
        if (bounded && 4 * own > limit) {
            throw Error(Failure::usage,
                        fmt::format("{}: a library needs about {} of memory for it that cannot go "
                                    "to temporary files; give --memory {} or more, or leave {} out",
                                    builder->name, shown(own), shown(4 * own), builder->name));
        }
    }
    return estimated;
}

TimedSchedule build_schedule(const Graph& graph, const Builder& builder, const BuildOptions& options) {
    const cli::Stopwatch watch;
    TimedSchedule timed{builder.build(graph, options), 0};
    timed.seconds = watch.seconds();
    return timed;
}

TimedSchedule build_verified(const Graph& graph, const Builder& builder, const BuildOptions& options,
                             PreprocessSeconds& seconds) {
    TimedSchedule timed = build_schedule(graph, builder, options);
    const cli::Stopwatch watch;
    require_verified(graph, timed.schedule);
    seconds.verify += watch.seconds();
    return timed;
}

PreprocessResult preprocess(const PreprocessRequest& request, const Stage& stage) {
    const std::vector<const Builder*> wanted = requested_builders(request.schedules);
    PreprocessInput input = read_input(request.input, request.read, stage);
    Dataset& dataset = input.dataset;
    std::vector<TimedSchedule>& schedules = input.schedules;
    const Graph& graph = dataset.graph;
    PreprocessResult result;
    result.seconds = input.seconds;
    // Removes the old schedules that are built again.
    std::erase_if(schedules, [&](const TimedSchedule& old) {
        return std::any_of(wanted.begin(), wanted.end(),
                           [&](const Builder* b) { return old.schedule.name == b->name; });
    });
    check_bounds(graph, request.build);
    note_two_sides(graph, wanted, stage);
    result.estimated_bytes =
        check_memory(graph, wanted, request.verify, request.memory_limit, stage, request.bounded);

    std::set<std::string> proved;
    for (const Builder* builder : wanted) {
        if (const std::string why = why_not(*builder, graph.ends); !why.empty()) {
            if (is_requested(request, builder->name)) throw ScheduleError(why, Failure::usage);
            stage("note: left out " + why);
            continue;
        }
        stage(std::string("scheduling ") + builder->name);
        try {
            schedules.push_back(build_schedule(graph, *builder, request.build));
        } catch (const NoLocality& e) {
            if (is_requested(request, builder->name)) throw;
            stage(std::string("note: left out ") + e.what());
            continue;
        }
        if (request.verify) proved.insert(builder->name);
    }
    result.seconds.schedule = 0;
    for (const TimedSchedule& s : schedules) result.seconds.schedule += s.seconds;

    stage("writing " + request.output.string());
    if (!request.times) {
        dataset.source.seconds = 0;
        for (TimedSchedule& s : schedules) s.seconds = 0;
    }
    const auto times = request.times ? std::optional(result.seconds) : std::nullopt;
    // The verification runs concurrently with the writing, which mostly uses one thread. If it fails, the
    // file is not created.
    std::future<void> proof;
    if (!proved.empty()) {
        proof = std::async(std::launch::async, [&] {
            for (const TimedSchedule& s : schedules) {
                if (proved.contains(s.schedule.name)) require_verified(graph, s.schedule);
            }
        });
    }
    const auto waited = [&] {
        const cli::Stopwatch watch;
        if (proof.valid()) proof.get();
        return result.seconds.verify = watch.seconds();
    };
    result.seconds.write =
        write_schedule_file(request.output, dataset, schedules, times, request.deflate, waited);
    result.file = read_schedule_file_summary(request.output);
    for (const ScheduleSummary& s : result.file.schedules) {
        if (proved.contains(s.name)) store_verification(result.file.graph_hash, s.hash);
    }
    return result;
}

}  // namespace lockstep
