// The independent verifier of schedules. It checks the contract in schedule.hpp from the graph and the arrays
// of the schedule alone, and shares no code with the builders.
#pragma once

#include <string>
#include <vector>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// The result of a verification: one flag per part of the contract, true if the part holds.
struct Verification {
    bool cover = false;  ///< every edge occurs exactly once
    /// The offset arrays are well-formed, and the arrays that the schedule's name requires are present.
    bool nested = false;
    bool disjoint = false;  ///< concurrent work shares no endpoint
    bool maximal = false;   ///< no edge could run in an earlier phase, or the schedule does not claim this
    bool resident = false;  ///< every edge is in the block of its resident column, or there are no residents
    std::vector<std::string> problems;  ///< first problem of each part, as a message for the user
    bool ok() const noexcept { return cover && nested && disjoint && maximal && resident; }
};

/// Checks the whole contract. O(edges + vertices) time on all threads; 12 bytes per edge, and 16 per vertex
/// and thread. The check that matchings are maximal is described in verify_rounds.hpp.
Verification verify(const Graph& graph, const Schedule& schedule);

/// Checks the parts of the contract on which the safety of a run depends: nested offsets, the form, no
/// conflict, residents, and the grid of tiles. Does not check that each edge occurs once and that phases are
/// maximal; both are reported as true. O(edges + vertices) on at most one thread per round; 8 bytes per edge,
/// and another 8 for the claims of all threads together.
Verification verify_concurrency(const Graph& graph, const Schedule& schedule);

}  // namespace lockstep
