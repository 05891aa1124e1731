// Common first steps of reading a schedule file as a whole or in part.
#pragma once

#include "hdf5.hpp"
#include "lockstep/formats/schedule_file.hpp"

namespace lockstep {

/// Returns the attributes of a file as a summary. Throws hdf5::Failed.
ScheduleFileSummary summarise_file(const std::filesystem::path& path, const hdf5::Node& root);
/// Returns the summary of the schedule `name`. Throws ScheduleError, which lists the existing schedules, if
/// there is none.
const ScheduleSummary& find_schedule(const ScheduleFileSummary& file, const std::string& name);

/// The next two functions return a graph without edges and a schedule without arrays, with the attributes of
/// the summary.
Graph graph_of(const ScheduleFileSummary& summary);
Schedule schedule_of(const ScheduleSummary& summary);

}  // namespace lockstep
