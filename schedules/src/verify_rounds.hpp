// Verification of schedules whose phases (rounds) consist of single edges: each round must be a matching, and
// a maximal one if the schedule claims it. Like all of the verifier, this code is shared with no builder.
#pragma once

#include <span>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// The result of verify_rounds().
struct RoundsVerification {
    /// No round has two edges at one endpoint, on the sides that `schedule.disjoint` names.
    bool disjoint = true;
    /// No edge could have run in an earlier round of its block; true if the schedule does not claim it.
    bool maximal = true;
};

/// Verifies the rounds of a schedule. `rounds` are the offsets of the phases, counted from the first edge
/// that is not locked. The order of the edges must be a permutation. O(edges + words scanned) on all threads:
/// for each edge, the scan covers the bit sets of the rounds from the first one in which an endpoint has no
/// edge up to the round of the edge. 12 bytes per edge, 8 bytes per column and thread, 1 bit per round and
/// thread.
RoundsVerification verify_rounds(const Graph& graph, const Schedule& schedule,
                                 std::span<const EdgeId> rounds);

}  // namespace lockstep
