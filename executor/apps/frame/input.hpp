// What a run takes from a schedule file: the graph, and the schedule that its strategy walks. Or from a mesh.
#pragma once

#include <memory>

#include "apps/frame/part.hpp"
#include "apps/frame/request.hpp"
#include "lockstep/executor/strategy.hpp"
#include "lockstep/formats/mesh_file.hpp"
#include "lockstep/formats/schedule_file.hpp"

namespace lockstep {

/// nullptr where the file does not have it.
const ScheduleSummary* schedule_in(const ScheduleFileSummary& file, const std::string& name);
/// Of a request's file, or of the graph that was read in its place.
ScheduleFileSummary summary_of(const Request& request);

class Input {
public:
    /// Reads the graph and the schedule that `strategy` needs, or the order that the request names, and
    /// proves the schedule where no locks guard it. Throws FormatError with the command that adds the
    /// schedule where it is not in the file, or does not hold what it claims. A strategy for meshes reads
    /// one: of `file` the summary alone is there then. Where the request has a graph in memory, that is taken,
    /// with its schedules, which are proved.
    Input(const Request& request, const Common& common, const Strategy& strategy);
    /// The same of a file's contents in memory; the schedule that is needed is there, and may be proved
    /// already.
    Input(const Request& request, const Common& common, const Strategy& strategy,
          std::shared_ptr<ScheduleFile> contents, bool proved);

private:
    std::shared_ptr<ScheduleFile> contents_;  ///< others may keep it

public:
    const Strategy strategy;
    ScheduleFile& file;
    const TimedSchedule* timed = nullptr;      ///< nullptr: the graph as it is
    const ScheduleSummary* summary = nullptr;  ///< of `timed`
    const char* proof = nullptr;  ///< "proved", "remembered", "unproved"; nullptr: nothing to prove
    double load_seconds = 0, prove_seconds = 0;
    MeshFile mesh;                  ///< of strategies for meshes
    std::optional<GraphPart> part;  ///< where several processes share the run: of graph and schedule there
                                    ///< are then this one's edges alone

    const Graph& graph() const { return file.dataset.graph; }
    const Schedule* schedule() const { return timed ? &timed->schedule : nullptr; }

private:
    void load_mesh(const Request& request);
    void read_schedule(const Request& request, const Common& common);
    void find_schedule(const Request& request, const Common& common, bool proved);
    /// Refuses a schedule that `strategy` cannot walk, or whose concurrent work conflicts.
    void check_schedule(const Request& request, const Common& common);
};

}  // namespace lockstep
