// Reading of the attributes of a schedule file, for the functions that read the file completely or in part.
#pragma once

#include "hdf5.hpp"
#include "lockstep/formats/schedule_file.hpp"

namespace lockstep {

/// Returns the attributes of a file (`root`) as a summary. Throws hdf5::Hdf5Error if an attribute is missing
/// or wrong.
ScheduleFileSummary summarise_file(const std::filesystem::path& path, const hdf5::Node& root);
/// Returns the summary of the schedule `name`. If the file does not contain it, throws ScheduleError with the
/// names of the existing schedules.
const ScheduleSummary& find_schedule(const ScheduleFileSummary& file, const std::string& name);

/// Return a graph without edges, or a schedule without arrays, with the properties that the summary contains.
Graph graph_of(const ScheduleFileSummary& summary);
Schedule schedule_of(const ScheduleSummary& summary);

}  // namespace lockstep
