// The checker's proof for schedules whose rounds are sets of single edges: rounds are matchings, and
// maximal ones where that is claimed. Like all of the checker it shares nothing with the builders.
#pragma once

#include <span>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

struct RoundsProof {
    bool disjoint = true;  ///< no round has two edges at an endpoint that `schedule.disjoint` names
    bool maximal = true;   ///< no edge could have run in an earlier round of its block; holds if not claimed
};

/// `rounds` are the phases' offsets in the edges behind schedule.locked; the order must be a permutation.
/// O(edges + words scanned) on all threads, the words between the first round that one end of an edge
/// misses and the edge's own. 12 bytes an edge, 8 bytes a column and thread, 1 bit a round and thread.
RoundsProof prove_rounds(const Graph& graph, const Schedule& schedule, std::span<const EdgeId> rounds);

}  // namespace lockstep
