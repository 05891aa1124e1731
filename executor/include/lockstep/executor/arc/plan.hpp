// ArcPlan: a graph in the layout of one walk of the arc family, with only the arrays that this walk needs.
//
// NAME.hpp has the plan of a walk, a struct derived from Arcs with `facts` (walk.hpp). Its constructor gets
// an OrderedGraph and, if the walk needs it, the schedule or the shape of virtual warps. NAME.hpp also has
// the CPU code, a function `scatter` or `gather`. NAME.cuh has the GPU code, a specialization of gpu::View.
// Walks that differ only in direction and balance share the files edge_map. No plan allows lost updates: push
// and edges combine atomically, pull lets one worker process all arcs of a target, and tiles require a
// schedule that is disjoint on targets.
#pragma once

#include <variant>

#include "lockstep/executor/arc/walks.hpp"
#include "lockstep/executor/strategy.hpp"

namespace lockstep {

using ArcPlan = ArcWalk;

/// Builds the plan of a strategy. `schedule` is the strategy's own schedule or a vertex order; nullptr
/// selects the order of the graph. Push uses the row order (by out-degree), the other walks use the column
/// order. If `weighted`, the plan includes the weights of the arcs, for operators that have `along`. Uses all
/// threads. Throws ScheduleError if the graph is not square or the schedule does not have the form of the
/// walk, and Error (usage) if `warps` is invalid. O(arcs log(maximum degree)) time, and 8 to 12 bytes per arc
/// plus the weights
ArcPlan make_arc_plan(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                      arc::VirtualWarps warps = {}, bool weighted = false);

inline const arc::Arcs& arcs_of(const ArcPlan& plan) {
    return std::visit([](const arc::Arcs& arcs) -> const arc::Arcs& { return arcs; }, plan);
}
/// Returns true if the walk combines values into accumulators in memory, from which a second pass finishes
/// the vertices.
inline bool scatters(const ArcPlan& plan) {
    return std::visit([]<class Walk>(const Walk&) { return Walk::scatters; }, plan);
}
/// Return the bytes of the plan's arrays in main memory, and in device memory (an upper bound for tiles).
EdgeId host_bytes(const ArcPlan& plan);
EdgeId device_bytes(const ArcPlan& plan);

}  // namespace lockstep
