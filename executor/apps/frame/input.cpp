#include "apps/frame/input.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lockstep/executor/ranks.hpp"
#include "lockstep/formats/cache_folder.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/schedules/verify.hpp"

namespace lockstep {

namespace {

std::optional<std::string> needed_schedule(const Request& request, const Strategy& strategy) {
    if (!request.order)
        return strategy.schedule ? std::optional<std::string>(strategy.schedule) : std::nullopt;
    if (!strategy.takes_any_order())
        throw UsageError(
            fmt::format("--order does not apply to {}, which uses the order of its schedule", strategy.name));
    return *request.order == "given" ? std::nullopt : request.order;
}

/// Reads a schedule file by calling `read`. If the file lacks the schedule `name`, which the strategy
/// requires, throws FormatError with the command that builds the schedule.
template <class Read>
ScheduleFile with_schedule(const std::string& path, const Strategy& strategy, const std::string& name,
                           Read read) try {
    return read();
} catch (const ScheduleError&) {
    const ScheduleFileSummary summary = read_schedule_file_summary(path);
    if (schedule_in(summary, name)) throw;
    std::string present;
    for (const ScheduleSummary& s : summary.schedules) present += (present.empty() ? "" : ", ") + s.name;
    throw FormatError(
        path,
        fmt::format(
            "strategy {} needs the schedule \"{}\", which is not in this file (it has: {}); add it with "
            "lockstep-preprocess {} -o {} --schedule {}",
            strategy.name, name, present.empty() ? "none" : present, path, path, name));
}

/// Returns true if a schedule must be verified before the strategy runs: concurrent updates write both
/// endpoints of edges, and no locks protect them. Schedules for arcs do not need it, because making a plan of
/// arcs already verifies them (take_tasks).
bool needs_verification(const Strategy& strategy) {
    return strategy.schedule && !strategy.takes_any_order() && !visits_neighbours(strategy.walk);
}

}  // namespace

const ScheduleSummary* schedule_in(const ScheduleFileSummary& file, const std::string& name) {
    const auto found = std::find_if(file.schedules.begin(), file.schedules.end(),
                                    [&](const ScheduleSummary& s) { return s.name == name; });
    return found == file.schedules.end() ? nullptr : &*found;
}

ScheduleFileSummary summary_of(const Request& request) {
    return request.graph ? request.graph->summary : read_schedule_file_summary(request.file);
}

Input::Input(const Request& request, const Common& common, const Strategy& strategy_)
    : contents_(request.graph ? request.graph : std::make_shared<ScheduleFile>()),
      strategy(strategy_),
      file(*contents_) {
    const Stopwatch load;
    if (request.graph)
        find_schedule(request, common, true);
    else if (strategy.walk.family == Family::meshes)
        load_mesh(request);
    else
        read_schedule(request, common);
    load_seconds = load.seconds() - verify_seconds;
}

Input::Input(const Request& request, const Common& common, const Strategy& strategy_,
             std::shared_ptr<ScheduleFile> contents, bool proved)
    : contents_(std::move(contents)), strategy(strategy_), file(*contents_) {
    find_schedule(request, common, proved);
}

void Input::read_schedule(const Request& request, const Common& common) {
    const std::optional<std::string> name = needed_schedule(request, strategy);
    if (!name) {  // edges keep the order of the input if there is no schedule
        file = read_schedule_file(request.file, std::vector<std::string>{}, true);
        return;
    }
    file = with_schedule(request.file, strategy, *name, [&] {
        if (ranks().count() > 1 && strategy.walk.family == Family::edges)
            return read_part(request.file, *name, part.emplace());
        return read_schedule_file(request.file, std::vector{*name}, request.input_order);
    });
    timed = &file.schedules.front();
    summary = schedule_in(file.summary, timed->schedule.name);
    check_schedule(request, common);
}

void Input::find_schedule(const Request& request, const Common& common, bool proved) {
    const std::optional<std::string> name = needed_schedule(request, strategy);
    if (!name) return;
    timed = &*std::find_if(file.schedules.begin(), file.schedules.end(),
                           [&](const TimedSchedule& s) { return s.schedule.name == *name; });
    summary = schedule_in(file.summary, *name);
    if (proved && needs_verification(strategy))
        proof = "proved";
    else
        check_schedule(request, common);
}

void Input::load_mesh(const Request& request) {
    if (request.order) throw UsageError("--order does not apply to meshes");
    if (!names_mesh(request.file))
        throw UsageError(fmt::format(
            "{} is not a mesh: give NAME.node or NAME.ele, with the other file in the same folder",
            request.file));
    mesh = read_mesh(request.file);
    ScheduleFileSummary& s = file.summary;
    s.path = s.source.path = request.file;
    s.graph_hash = mesh_hash(mesh);
    s.rows = s.cols = static_cast<VertexId>(mesh.x.size());
    s.edges = mesh.corners.size() / 3;
}

void Input::check_schedule(const Request& request, const Common& common) {
    const Schedule& s = *schedule();
    const auto refuse = [&](const std::string& what) {
        throw FormatError(request.file,
                          fmt::format("{}; build it again: lockstep-preprocess {} -o {} --schedule {}", what,
                                      request.file, request.file, s.name));
    };
    try {
        require_form(graph(), strategy, &s);
    } catch (const ScheduleError& e) {
        refuse(e.what());
    }
    if (!needs_verification(strategy)) return;
    const std::string &of_graph = file.summary.graph_hash, of_schedule = summary->hash;
    if (request.trust) {
        proof = "unproved";
        note(common, fmt::format("note: schedule {} was not verified (--trust)", s.name));
    } else if (ranks().most(!is_verified(of_graph, of_schedule)) == 0) {
        proof = "remembered";
    } else {
        const Stopwatch watch;
        const Verification found = verify_concurrency(graph(), s);
        verify_seconds = watch.seconds();
        if (!found.ok())
            refuse(fmt::format("schedule \"{}\" failed verification: {}", s.name, found.problems[0]));
        ranks().barrier();  // waits for all processes, since each of them may have verified only its part
        proof = "proved";
        if (ranks().on_host() == 0) store_verification(of_graph, of_schedule);
    }
}

}  // namespace lockstep
