// Verification of schedules whose rounds are sets of single edges: rounds must be matchings, and maximal ones
// if that is claimed. Like all of the verifier, it shares no code with the builders.
#pragma once

#include <span>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

struct RoundsProof {
    bool disjoint = true;  ///< no round has two edges at an endpoint that `schedule.disjoint` names
    bool maximal = true;   ///< no edge could have run in an earlier round of its block; true if not claimed
};

/// Verifies the rounds. `rounds` are the offsets of the phases in the edges behind schedule.locked; the order
/// must be a permutation. O(edges + words scanned) on all threads; for each edge, it scans the words between
/// the first round in which one of its endpoints is free and its own round. 12 bytes per edge, 8 bytes per
/// column and thread, 1 bit per round and thread.
RoundsProof prove_rounds(const Graph& graph, const Schedule& schedule, std::span<const EdgeId> rounds);

}  // namespace lockstep
