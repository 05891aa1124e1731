// The independent verifier of schedules. It checks the contract of schedule.hpp from the graph and the arrays
// alone, and shares no code with the builders.
#pragma once

#include <string>
#include <vector>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

struct Verification {
    bool cover = false;                 ///< each edge occurs exactly once
    bool nested = false;                ///< offset arrays are well-formed, and the name's arrays are present
    bool disjoint = false;              ///< no conflict within a round
    bool maximal = false;               ///< rounds are maximal, or this is not claimed
    bool resident = false;              ///< residents are consistent, or there are none
    std::vector<std::string> problems;  ///< first problem of each kind, as a message for the user
    bool ok() const noexcept { return cover && nested && disjoint && maximal && resident; }
};

/// Checks the whole contract. O(edges + vertices) time on all threads; 12 bytes per edge, 16 per vertex and
/// thread. See verify_rounds.hpp for the check that matchings are maximal.
Verification verify(const Graph& graph, const Schedule& schedule);

/// Checks the properties that a run relies on and that reading a file does not check: nesting and form, no
/// conflict within a round, residents, tiles. Assumes that each edge occurs once and that rounds are maximal.
/// O(edges + vertices) on at most one thread per round; 8 bytes per edge, and another 8 for the claims of all
/// threads.
Verification verify_concurrency(const Graph& graph, const Schedule& schedule);

}  // namespace lockstep
