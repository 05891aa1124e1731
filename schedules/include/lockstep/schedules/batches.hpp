// Sets of edges that may be updated at once, one set after another, of any schedule with phases.
#pragma once

#include <vector>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// Set s has the edges order[offsets[s]] … order[offsets[s + 1] - 1], none of which shares an end with another
/// of the set on the sides that the schedule calls disjoint. Edges are numbered as in the input.
struct Batches {
    Array<EdgeId> order;
    std::vector<EdgeId> offsets{0};
};

/// An update of set after set has the bits of one edge after another. Phases are taken as they are; of
/// concurrent tasks the first edges make a set, then the second ones, and so on, step by step. The first
/// `locked` edges are in no set. Throws ScheduleError where the schedule has no phases. O(edges) for phases of
/// single edges, O(edges log edges) for those of tasks.
Batches batches_of(const Graph& graph, const Schedule& schedule);

}  // namespace lockstep
