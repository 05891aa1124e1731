// Conversion of any schedule with phases to a sequence of conflict-free sets of edges.
#pragma once

#include <vector>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// A sequence of sets of edges. Set s contains the edges order[offsets[s]] … order[offsets[s + 1] - 1]. No
/// two edges of a set share an endpoint on the sides that `Schedule::disjoint` names. An edge is numbered by
/// its position in the input.
struct Batches {
    Array<EdgeId> order;
    std::vector<EdgeId> offsets{0};
};

/// Returns the sets of `schedule`. If they run one after another, with the edges of each set in parallel, the
/// result is bitwise identical to running one edge at a time. A phase of single edges is one set. From
/// concurrent tasks, the first edges form a set, then the second edges, and so on, step by step. The first
/// `locked` edges are in no set. Throws ScheduleError if the schedule has no phases. O(edges) for phases of
/// single edges, O(edges log edges) for phases of tasks.
Batches batches_of(const Graph& graph, const Schedule& schedule);

}  // namespace lockstep
