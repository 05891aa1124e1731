// Conversion of a schedule with phases to a sequence of conflict-free sets of edges, for callers that run
// their own loop over the edges.
#pragma once

#include <vector>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// A sequence of sets of edges. Set s contains the edges order[offsets[s]] … order[offsets[s + 1] - 1], given
/// by their positions in the input. No two edges of a set share an endpoint on the sides that
/// `Schedule::disjoint` names.
struct Batches {
    Array<EdgeId> order;
    std::vector<EdgeId> offsets{0};
};

/// Converts `schedule` to sets of edges. Running the sets one after another, with the edges of each set in
/// parallel, gives results bitwise identical to those of running the edges serially in this order. If the
/// phases of the schedule contain single edges, each phase is one set. If they contain concurrent tasks, the
/// first edges of all tasks of a phase (of each step, if there are steps) form one set, the second edges the
/// next set, and so on. The first `locked` edges of the schedule are in no set. Throws ScheduleError if the
/// schedule has no phases. O(edges) for phases of single edges, O(edges log edges) for phases of tasks.
Batches batches_of(const Graph& graph, const Schedule& schedule);

}  // namespace lockstep
