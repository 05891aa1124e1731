// Reading of a schedule file by several processes, which share the work on a tiled schedule. Each process
// reads the edges of some rows of the graph, and the tiles of some groups of columns. The tiles may contain
// edges of other rows. Together, the processes read every edge once.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/formats/schedule_file.hpp"

namespace lockstep {

/// The part of a schedule file that one process reads.
struct SchedulePart {
    ScheduleFileSummary summary;   ///< attributes of the whole file
    Dataset dataset;               ///< IDs of all vertices, and the edges of consecutive rows of the graph
    std::vector<EdgeId> first_of;  ///< number of edges of the whole graph that precede the rows of each part
    /// The schedule with the tiles of this part; all other tiles are empty. `order` contains edge IDs of the
    /// whole graph.
    TimedSchedule timed;
};

/// Reads part number `part` of `parts` parts: consecutive rows, such that parts have about equal numbers of
/// edges, and consecutive groups of columns. Checks the data against the seal and the checksums, and the
/// values of offsets and IDs. The caller must check that the parts together contain every edge once. Throws
/// FormatError, or ScheduleError if the schedule is missing or not tiled. Time and memory: O(vertices + edges
/// / parts + tiles).
SchedulePart read_schedule_part(const std::filesystem::path& path, const std::string& name, EdgeId part,
                                EdgeId parts);

}  // namespace lockstep
