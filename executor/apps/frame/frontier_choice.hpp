// Which strategy a traversal takes where the user leaves it open: by a rule, or by what was fastest when it
// was tried on a graph of the same class and this device.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lockstep/formats/run_record.hpp"
#include "lockstep/formats/schedule_file.hpp"

namespace lockstep {

/// What is kept of a trial.
struct Tuned {
    std::string strategy;
    double seconds = 0;
};

/// Graphs of a class have sizes, mean and largest degrees within a factor of two, and the same prepared
/// schedules for traversals.
std::string graph_class(const ScheduleFileSummary& file);

/// Of an application, a device and a class, in the cache folder; nothing where there is none that this
/// program knows, or where it cannot be read.
std::optional<Tuned> kept_choice(const std::string& app, const DeviceInfo& device,
                                 const std::string& graph_class);
/// Throws OutputError.
void keep_choice(const std::string& app, const DeviceInfo& device, const std::string& graph_class,
                 const Tuned& best);

/// Strategies of this file, the most promising first: those whose schedule it has, unless `generic`; then the
/// others. `weighted`: the application's operator is.
std::vector<std::string> frontier_candidates(const ScheduleFileSummary& file, bool weighted, bool generic);
/// What the rule takes of them, and why: few arcs at every vertex mean many small rounds, many at some few
/// large ones. On a CPU, whose ways are its own, the generic one with every way.
std::pair<std::string, std::string> choose_frontier(const ScheduleFileSummary& file, bool weighted,
                                                    bool generic, bool cpu);

}  // namespace lockstep
