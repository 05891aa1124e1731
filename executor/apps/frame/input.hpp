// Loads the input of a run from a schedule file: a graph, and the schedule that the strategy requires; or a
// mesh. The schedule is verified if the strategy depends on it.
#pragma once

#include <memory>

#include "apps/frame/part.hpp"
#include "apps/frame/request.hpp"
#include "lockstep/executor/strategy.hpp"
#include "lockstep/formats/mesh_file.hpp"
#include "lockstep/formats/schedule_file.hpp"

namespace lockstep {

/// Returns the summary of the file's schedule `name`; nullptr if the file does not have this schedule.
const ScheduleSummary* schedule_in(const ScheduleFileSummary& file, const std::string& name);
/// Returns the summary of the request's schedule file. If the request has a graph in memory instead of a
/// file, returns the summary of this graph.
ScheduleFileSummary summary_of(const Request& request);

class Input {
public:
    /// Reads the graph and the schedule that `strategy` requires, or the vertex or edge order in
    /// `request.order`. If no locks protect concurrent updates, also verifies the schedule. A graph in memory
    /// (`request.graph`) is used as it is, with its schedules, which were verified when they were built. For
    /// a strategy on meshes, reads a mesh into `mesh`; `file` then has only a summary. Throws FormatError if
    /// the schedule fails the verification, or is not in the file (with the command that adds it).
    Input(const Request& request, const Common& common, const Strategy& strategy);
    /// Uses a graph and schedules that are in memory. The schedules must include the one that `strategy`
    /// requires. `proved`: whether this schedule has been verified already.
    Input(const Request& request, const Common& common, const Strategy& strategy,
          std::shared_ptr<ScheduleFile> contents, bool proved);

private:
    /// Contents of the schedule file, possibly shared with the caller.
    std::shared_ptr<ScheduleFile> contents_;

public:
    const Strategy strategy;
    ScheduleFile& file;
    /// Schedule that the strategy uses; nullptr: edges have the graph's own order.
    const TimedSchedule* timed = nullptr;
    const ScheduleSummary* summary = nullptr;  ///< summary of the schedule `timed`
    /// Result of the verification, for the run record: "proved" (verified now), "remembered" (verified in an
    /// earlier run) or "unproved" (skipped); nullptr if the strategy needs no verification.
    const char* proof = nullptr;
    double load_seconds = 0, verify_seconds = 0;
    MeshFile mesh;  ///< the mesh, if the strategy is for meshes
    /// The share of this process in the graph file, if several processes share the run. Graph and schedule
    /// then contain only the edges that this process updates.
    std::optional<GraphPart> part;

    const Graph& graph() const { return file.dataset.graph; }
    const Schedule* schedule() const { return timed ? &timed->schedule : nullptr; }

private:
    void load_mesh(const Request& request);
    void read_schedule(const Request& request, const Common& common);
    void find_schedule(const Request& request, const Common& common, bool proved);
    /// Throws FormatError if `strategy` does not support the form of the schedule, or if the schedule has
    /// conflicts.
    void check_schedule(const Request& request, const Common& common);
};

}  // namespace lockstep
