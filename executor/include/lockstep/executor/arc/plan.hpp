// A plan of the arc family: one of the walks, with only the arrays that it needs.
//
// A walk consists of the files NAME.hpp and NAME.cuh. NAME.hpp has the plan, a struct derived from Arcs with
// `facts` (walk.hpp) that is made from a Numbered graph and, if needed, from its schedule or virtual warps.
// It also has the CPU code, `scatter` or `gather`. NAME.cuh has the kernel, gpu::View<NAME>. A plan is
// race-free by construction: push and edges combine atomically, pull makes a list of arcs for every target,
// and bins and tiles reject a schedule that is not disjoint on targets.
#pragma once

#include <variant>

#include "lockstep/executor/arc/walks.hpp"
#include "lockstep/executor/strategy.hpp"

namespace lockstep {

using ArcPlan = ArcWalk;

/// Makes the arrays for a strategy. `schedule` is the strategy's own schedule or a vertex order (nullptr: the
/// order of the graph); push uses its row order (by out-degree), the other walks use its column order.
/// `weighted`: the plan includes the weights of the arcs, for operators that have `along`. Runs on all
/// threads. Throws ScheduleError if the graph is not square or if the walk rejects the schedule, and Error
/// (usage) if `warps` is invalid. Takes O(arcs log(maximum degree)) time and 8 to 12 bytes per arc, plus the
/// weights.
ArcPlan make_arc_plan(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                      arc::VirtualWarps warps = {}, bool weighted = false);

inline const arc::Arcs& arcs_of(const ArcPlan& plan) {
    return std::visit([](const arc::Arcs& arcs) -> const arc::Arcs& { return arcs; }, plan);
}
/// Returns true if the walk combines values into accumulators and finishes the vertices from them afterwards.
inline bool scatters(const ArcPlan& plan) {
    return std::visit([]<class Walk>(const Walk&) { return Walk::scatters; }, plan);
}
/// Returns the bytes of the arrays in main memory, and on a GPU (for tiles: an upper bound).
EdgeId host_bytes(const ArcPlan& plan);
EdgeId device_bytes(const ArcPlan& plan);

}  // namespace lockstep
