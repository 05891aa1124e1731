// Distributes a schedule file over the processes of a run.
#pragma once

#include "lockstep/formats/schedule_file.hpp"

namespace lockstep {

/// The data of one of several processes, in addition to the edges that it works on. These edges are
/// Input::graph, a graph with all vertices and with its own edge IDs.
struct GraphPart {
    Array<EdgeId> ids;  ///< ID in the whole graph of each edge of Input::graph, ascending
    Graph rows;         ///< another share of the edges: those of some consecutive rows
    EdgeId first = 0;   ///< ID in the whole graph of the first edge of `rows`, whose IDs are consecutive
};

/// Reads the part of this process: returns a file whose graph and schedule contain the edges of its tiles.
/// All processes must call it. Throws the errors of read_schedule_part, and FormatError if the parts together
/// do not contain every edge once. Peak memory is about 60 bytes per edge of the part.
ScheduleFile read_part(const std::string& path, const std::string& schedule, GraphPart& part);

}  // namespace lockstep
