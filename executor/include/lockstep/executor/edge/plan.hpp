// EdgePlan: a graph's edges in the order of a schedule, in the layout that one walk reads. This file converts
// a finished schedule; it does not compute one. The type of a plan identifies its walk.
//
// Each walk has its own files: NAME.hpp with its plan and its CPU code, and NAME.cuh with its GPU code. The
// plan is a struct with
//
//     static constexpr Walk facts                properties of the walk (walk.hpp)
//     static Plan make(PlanParts&)               builds the plan from a schedule of the form that it requires
//     EdgeId bytes() const                       size of its arrays
//
// and optionally with
//
//     EdgeId phases() const                      number of phases
//     static Array<EdgeId> sort_edges(const Graph&, const Schedule*, std::span<const EdgeId>)
//                                                sorts the edges before they are passed to make()
//     std::optional<std::string> why_not(const EdgeList&, const OperatorSize&, const gpu::Properties&) const
//                                                as why_not() below, if the walk uses shared memory
//     static constexpr bool in_shared_memory     defined if the walk copies vertices to shared memory. It
//                                                then runs the SharedMemoryOperator of the operator
//                                                (on_chip.hpp)
//     template <class Model> static void terms(Model&)
//                                                adds the terms of a sweep's time to the cost model
//                                                (insight/model.cpp); without it, no time is predicted
//
// Its CPU code is a function cpu::sweep(const EdgeList&, const Plan&, const Op&, Locks&, int threads), its
// GPU code is the class gpu::DeviceWalk<Plan> (edges.cuh).
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lockstep/executor/device/properties.hpp"
#include "lockstep/executor/edge/phase_order.hpp"
#include "lockstep/executor/edge/plan_parts.hpp"
#include "lockstep/executor/edge/walks.hpp"
#include "lockstep/executor/strategy.hpp"

namespace lockstep {

/// A plan: the edges in execution order, and the walk that runs them.
struct EdgePlan : EdgeList {
    EdgeWalk walk;

    EdgeId phases() const;  ///< number of phases; 0 if the walk has none
    EdgeId bytes() const;   ///< size of all arrays in bytes
};

/// The endpoints (rows, columns or both) that the application's operator writes.
using Endpoints = Disjoint;

/// Builds the plan of a strategy from `schedule`. If the strategy needs no schedule, `schedule` is nullptr,
/// and the edges keep the order of the graph. Edges e with held_out[e] are omitted; an empty `held_out` omits
/// none. `phases` is the order of the phases, if they may be reordered. `ends` specifies whether the
/// operator's state and the locks belong to rows and columns or to vertices of one set; a graph of the other
/// kind is an error. If `ids`, the plan contains the ID of each edge.
///
/// Throws ScheduleError if the schedule lacks the form that the walk requires (require_form), and if updates
/// could be lost: the operator writes an endpoint that is neither disjoint in the schedule nor protected by a
/// lock, and the strategy is not an unsynchronized one. The function trusts the properties that the schedule
/// contains; verify_concurrency (verify.hpp) verifies them. O(edges + vertices), 20 bytes per edge, 8 more
/// with IDs
EdgePlan make_plan(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                   Endpoints written = Endpoints::both, const std::vector<bool>& held_out = {},
                   PhaseOrder phases = PhaseOrder::given, Ends ends = Ends::sides, bool ids = false);

/// Returns the reason if a GPU cannot run the plan with an operator of this size: an error message with the
/// resource that is too small and an advice; otherwise returns nothing. Does not check the size of device
/// memory. O(edges log edges of a tile) for walks with tiles in shared memory, O(blocks) for others
std::optional<std::string> why_not(const EdgePlan& plan, const OperatorSize& size,
                                   const gpu::Properties& device);

}  // namespace lockstep
