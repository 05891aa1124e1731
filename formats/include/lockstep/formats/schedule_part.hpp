// What one of several processes reads of a schedule file: the edges of some rows, and the tiles of some
// groups of columns, which another share of the edges is in. Together they read every edge once.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/formats/schedule_file.hpp"

namespace lockstep {

struct SchedulePart {
    ScheduleFileSummary summary;   ///< of the whole file
    Dataset dataset;               ///< ids of all vertices; of the graph the edges of some neighbouring rows
    std::vector<EdgeId> first_of;  ///< part -> edges of the whole graph before the first of its rows
    TimedSchedule timed;  ///< its own tiles, all others empty; `order` has numbers of the whole graph
};

/// Part `part` of `parts`: rows with about as many edges each, and column groups as they follow one another.
/// What is read is checked by seal, checksums, and as offsets and ids; that the parts together hold every
/// edge once is for who puts them together. Throws FormatError; ScheduleError where the file lacks the
/// schedule, or it is not tiled. Memory and reading: O(vertices + edges / parts + tiles).
SchedulePart read_schedule_part(const std::filesystem::path& path, const std::string& name, EdgeId part,
                                EdgeId parts);

}  // namespace lockstep
