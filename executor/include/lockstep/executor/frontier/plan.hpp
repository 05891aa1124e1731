// A plan of the frontier family: one of the walks, with the arrays that it needs.
//
// A walk consists of the files NAME.hpp and NAME.cuh. NAME.hpp has the plan, a struct derived from Vertices
// with `facts` (walk.hpp) and `make(graph, schedule, wanted)`, and the CPU code, an overload of cpu_runner_of
// (cpu.hpp). NAME.cuh has an overload of cuda_runner_of. Expand is the generic walk, which runs every
// combination of the axes. Prepared walks have their own array layouts and kernels; operators need only the
// contract of operator.hpp.
#pragma once

#include "lockstep/executor/frontier/walks.hpp"
#include "lockstep/executor/strategy.hpp"

namespace lockstep::frontier {

using FrontierPlan = FrontierWalk;

/// Makes the plan for a strategy. `schedule` is the strategy's own schedule, or a vertex order whose row
/// order is used (nullptr: the order of the graph). Throws ScheduleError if the graph is not square. Runs on
/// all threads in O(arcs log(maximum degree)) time.
FrontierPlan make_frontier_plan(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                                const Wanted& wanted);

inline const Vertices& vertices_of(const FrontierPlan& plan) {
    return std::visit([](const Vertices& v) -> const Vertices& { return v; }, plan);
}

}  // namespace lockstep::frontier
