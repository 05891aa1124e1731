// The part of a schedule file that one of several processes reads: the edges of some rows, and the tiles of
// some groups of columns, which contain other edges. Together the processes read every edge once.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/formats/schedule_file.hpp"

namespace lockstep {

struct SchedulePart {
    ScheduleFileSummary summary;   ///< attributes of the whole file
    Dataset dataset;               ///< ids of all vertices, and the edges of consecutive rows of the graph
    std::vector<EdgeId> first_of;  ///< number of edges of the whole graph before the first row of each part
    /// Tiles of this part, all others empty; `order` contains edge IDs of the whole graph.
    TimedSchedule timed;
};

/// Reads part `part` of `parts`: consecutive rows with about the same number of edges per part, and
/// consecutive column groups. Checks the data by seal, by checksums, and as offsets and ids. The caller must
/// check that the parts together contain every edge once. Throws FormatError, or ScheduleError if the
/// schedule is missing or not tiled. Memory and reading: O(vertices + edges / parts + tiles).
SchedulePart read_schedule_part(const std::filesystem::path& path, const std::string& name, EdgeId part,
                                EdgeId parts);

}  // namespace lockstep
