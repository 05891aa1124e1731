// Distributes the graph and the schedule of a file over the processes of an MPI run, so that each process
// stores only the edges that it updates.
#pragma once

#include "lockstep/formats/schedule_file.hpp"

namespace lockstep {

/// The share of one process in the whole graph, if several processes share a run. The edges that the process
/// updates are in Input::graph, which has all vertices of the whole graph, but edge IDs of its own.
struct GraphPart {
    Array<EdgeId> ids;  ///< ID in the whole graph of each edge of Input::graph, ascending
    /// Consecutive rows of the whole graph with their edges, which are an equal share for each process.
    Graph rows;
    /// ID in the whole graph of the first edge of `rows`; the following edges have consecutive IDs.
    EdgeId first = 0;
};

/// Reads the share of this process from a schedule file. The graph and the schedule of the result contain
/// only the edges in the tiles of this process, and `part` receives the rest. All processes must call this
/// function. Throws the errors of read_schedule_part, and FormatError if the shares of all processes together
/// do not contain every edge exactly once. Peak memory is about 60 bytes per edge of the share.
ScheduleFile read_part(const std::string& path, const std::string& schedule, GraphPart& part);

}  // namespace lockstep
