// A schedule file dealt out to the processes of a run.
#pragma once

#include "lockstep/formats/schedule_file.hpp"

namespace lockstep {

/// What one of several processes has of a graph, beside the edges that it works on, which are a graph of all
/// vertices (Input::graph) with numbers of their own.
struct GraphPart {
    Array<EdgeId> ids;  ///< edge of that graph -> edge of the whole one, ascending
    Graph rows;         ///< another share of the edges: those of some neighbouring rows
    EdgeId first = 0;   ///< the number of its first edge in the whole graph; the others follow
};

/// Reads this process's part: a file whose graph and schedule are those of its tiles. Called by all; throws
/// as read_schedule_part, and FormatError where the parts are not a schedule of all edges. Peak memory is
/// some 60 bytes an edge of the part.
ScheduleFile read_part(const std::string& path, const std::string& schedule, GraphPart& part);

}  // namespace lockstep
