// A plan of the frontier family: one of the walks, with the arrays that it needs.
//
// A walk is its files: NAME.hpp with its plan, a struct derived from Vertices with `facts` (walk.hpp) and
// `make(graph, schedule, wanted)`, and its CPU code, an overload of cpu_runner_of (cpu.hpp); NAME.cuh with an
// overload of cuda_runner_of. Expand is the generic one, which every combination of the axes runs. Prepared
// walks own the layout of their arrays and their kernels; operators need only what operator.hpp asks of them.
#pragma once

#include "lockstep/executor/frontier/walks.hpp"
#include "lockstep/executor/strategy.hpp"

namespace lockstep::frontier {

using FrontierPlan = FrontierWalk;

/// `schedule` is the strategy's own, or a vertex order whose row order is taken (nullptr: as given). Throws
/// ScheduleError where the graph is not square. O(arcs log(largest degree)), on all threads.
FrontierPlan make_frontier_plan(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                                const Wanted& wanted);

inline const Vertices& vertices_of(const FrontierPlan& plan) {
    return std::visit([](const Vertices& v) -> const Vertices& { return v; }, plan);
}

}  // namespace lockstep::frontier
