// Which strategy a traversal takes by a rule, where the user leaves it open.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lockstep/formats/schedule_file.hpp"

namespace lockstep {

/// Strategies of this file, the most promising first: those whose schedule it has, unless `generic`; then the
/// others. `weighted`: the application's operator is.
std::vector<std::string> frontier_candidates(const ScheduleFileSummary& file, bool weighted, bool generic,
                                             bool cpu);
/// What the rule takes of them, and why: few arcs at every vertex mean many small rounds, many at some few
/// large ones. On a CPU, whose ways are its own, the generic one with every way.
std::pair<std::string, std::string> choose_frontier(const ScheduleFileSummary& file, bool weighted,
                                                    bool generic, bool cpu);

}  // namespace lockstep
