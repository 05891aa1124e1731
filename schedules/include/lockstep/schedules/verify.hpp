// The independent checker of schedules: proves the contract of schedule.hpp from the graph and the
// arrays alone. Shares no code with the builders.
#pragma once

#include <string>
#include <vector>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

struct Verification {
    bool cover = false;                 ///< each edge exactly once
    bool nested = false;                ///< offset arrays well formed, and those that the name promises
    bool disjoint = false;              ///< no conflict inside a round
    bool maximal = false;               ///< holds, or is not claimed
    bool resident = false;              ///< holds, or there are no residents
    std::vector<std::string> problems;  ///< the first of each kind, in words a person can act on
    bool ok() const noexcept { return cover && nested && disjoint && maximal && resident; }
};

/// O(edges + vertices) time on all threads; 12 bytes an edge, 16 a vertex and thread; see
/// verify_rounds.hpp for the proof that matchings are maximal.
Verification verify(const Graph& graph, const Schedule& schedule);

/// What a run relies on and reading a file does not check: nesting and form, no conflict inside a round,
/// residents, tiles. That each edge is there once and rounds are maximal is taken for granted. O(edges +
/// vertices) on as many threads as there are rounds; 8 bytes an edge, and 8 more for the claims of all
/// threads.
Verification verify_concurrency(const Graph& graph, const Schedule& schedule);

}  // namespace lockstep
