// What reading a schedule file begins with, whole or in part.
#pragma once

#include "hdf5.hpp"
#include "lockstep/formats/schedule_file.hpp"

namespace lockstep {

/// The attributes. Throws hdf5::Failed.
ScheduleFileSummary summarise_file(const std::filesystem::path& path, const hdf5::Node& root);
/// Throws ScheduleError, listing those there are.
const ScheduleSummary& find_schedule(const ScheduleFileSummary& file, const std::string& name);

/// A graph of no edges yet, and a schedule without arrays.
Graph graph_of(const ScheduleFileSummary& summary);
Schedule schedule_of(const ScheduleSummary& summary);

}  // namespace lockstep
