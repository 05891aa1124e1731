// FrontierPlan: a graph in the layout of one walk of the frontier family.
//
// A walk consists of the files NAME.hpp and NAME.cuh. NAME.hpp has the plan, a struct derived from Vertices
// with `facts` (walk.hpp) and `make(graph, schedule, wanted)`, and the CPU code, an overload of cpu_runner_of
// (cpu.hpp). NAME.cuh has the GPU code, an overload of cuda_runner_of. Expand is the generic walk, which
// supports every combination of the axes. The walks for prepared schedules (hubs, regions) have their own
// array layouts and kernels. All of them run the same operators (operator.hpp).
#pragma once

#include "lockstep/executor/frontier/walks.hpp"
#include "lockstep/executor/strategy.hpp"

namespace lockstep::frontier {

using FrontierPlan = FrontierWalk;

/// Builds the plan of a strategy. `schedule` is the strategy's own schedule, or a vertex order of which the
/// row order is used; nullptr selects the order of the graph. Throws ScheduleError if the graph is not
/// square. Uses all threads. O(arcs log(maximum degree))
FrontierPlan make_frontier_plan(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                                const PlanRequirements& wanted);

inline const Vertices& vertices_of(const FrontierPlan& plan) {
    return std::visit([](const Vertices& v) -> const Vertices& { return v; }, plan);
}

}  // namespace lockstep::frontier
