// The input of a run: a graph and the schedule that its strategy requires, from a schedule file; or a mesh.
#pragma once

#include <memory>

#include "apps/frame/part.hpp"
#include "apps/frame/request.hpp"
#include "lockstep/executor/strategy.hpp"
#include "lockstep/formats/mesh_file.hpp"
#include "lockstep/formats/schedule_file.hpp"

namespace lockstep {

/// Returns the summary of the schedule of this name; nullptr if the file does not have it.
const ScheduleSummary* schedule_in(const ScheduleFileSummary& file, const std::string& name);
/// Returns the summary of the request's schedule file, or of the graph in memory if the request has one.
ScheduleFileSummary summary_of(const Request& request);

class Input {
public:
    /// Reads the graph and the schedule that `strategy` requires, or the order that the request names, and
    /// verifies the schedule if no locks protect concurrent updates. Throws FormatError with the command that
    /// adds the schedule if the file lacks it, or if the schedule fails the verification. A strategy for
    /// meshes reads a mesh; `file` has only a summary then. If the request has a graph in memory, it is used
    /// with its schedules, which are verified already.
    Input(const Request& request, const Common& common, const Strategy& strategy);
    /// Uses the contents of a file that are in memory, with the schedule that is required. `proved`: whether
    /// the schedule is verified already.
    Input(const Request& request, const Common& common, const Strategy& strategy,
          std::shared_ptr<ScheduleFile> contents, bool proved);

private:
    std::shared_ptr<ScheduleFile> contents_;  ///< shared, since callers may keep it

public:
    const Strategy strategy;
    ScheduleFile& file;
    const TimedSchedule* timed = nullptr;      ///< schedule; nullptr: the graph's own order
    const ScheduleSummary* summary = nullptr;  ///< summary of `timed`
    const char* proof = nullptr;  ///< "proved", "remembered", "unproved"; nullptr: no verification is needed
    double load_seconds = 0, prove_seconds = 0;
    MeshFile mesh;  ///< mesh, if the strategy is for meshes
    /// Part of this process, if several processes share the run. Graph and schedule contain only the edges of
    /// this process then.
    std::optional<GraphPart> part;

    const Graph& graph() const { return file.dataset.graph; }
    const Schedule* schedule() const { return timed ? &timed->schedule : nullptr; }

private:
    void load_mesh(const Request& request);
    void read_schedule(const Request& request, const Common& common);
    void find_schedule(const Request& request, const Common& common, bool proved);
    /// Throws FormatError if `strategy` does not support the schedule, or if the schedule has conflicts.
    void check_schedule(const Request& request, const Common& common);
};

}  // namespace lockstep
