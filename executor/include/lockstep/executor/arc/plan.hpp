// A plan of the arc family: one of the walks, with the arrays that it needs and no others.
//
// A walk is a file set. NAME.hpp: its plan, a struct derived from Arcs with `facts` (walk.hpp), made of a
// Numbered graph and, where it wants them, its schedule or virtual warps; and its CPU code, `scatter` or
// `gather`; NAME.cuh: its kernel, gpu::View<NAME>. It is legal by construction: push and edges combine
// atomically, pull makes a list of arcs for every target, bins and tiles refuse a schedule that is not
// disjoint on targets.
#pragma once

#include <variant>

#include "lockstep/executor/arc/walks.hpp"
#include "lockstep/executor/strategy.hpp"

namespace lockstep {

using ArcPlan = ArcWalk;

/// The arrays for a strategy. `schedule` is the strategy's own, or a vertex order (nullptr: as given); push
/// takes its row order (by out-degree), the others its column order. `weighted`: with the weights of the
/// arcs, for operators that have `along`. Threads share the work. Throws
/// ScheduleError where the graph is not square and as the walks do, Error (usage) on impossible `warps`.
/// O(arcs log(largest degree)) time, 8 to 12 bytes an arc, and
/// their weights.
ArcPlan make_arc_plan(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                      arc::VirtualWarps warps = {}, bool weighted = false);

inline const arc::Arcs& arcs_of(const ArcPlan& plan) {
    return std::visit([](const arc::Arcs& arcs) -> const arc::Arcs& { return arcs; }, plan);
}
/// Whether values are combined into accumulators, from which every vertex is finished afterwards.
inline bool scatters(const ArcPlan& plan) {
    return std::visit([]<class Walk>(const Walk&) { return Walk::scatters; }, plan);
}
/// Bytes of the arrays in main memory, and on a GPU (tiles: at most).
EdgeId host_bytes(const ArcPlan& plan);
EdgeId device_bytes(const ArcPlan& plan);

}  // namespace lockstep
