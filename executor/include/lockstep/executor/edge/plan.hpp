// A plan: the schedule made flat for a walk, which is what its type says. Nothing is scheduled here.
//
// A walk is a file set of its own: NAME.hpp, its plan and its CPU code, and NAME.cuh, its GPU code. The plan
// is a struct with
//
//     static constexpr Walk facts                what is known of it (walk.hpp)
//     static Plan make(PlanParts&)               of a schedule of that form
//     EdgeId bytes() const                       of its arrays
//
// and, where they say something,
//
//     EdgeId phases() const                      where it has such
//     std::optional<std::string> why_not(const EdgeList&, const OperatorSize&, const gpu::Properties&) const
//                                                as below, of a walk that keeps something on chip
//     static constexpr bool on_chip              vertices are copied there (on_chip.hpp), the operator's form
//                                                of that runs
//     template <class Model> static void terms(Model&)
//                                                of the time of a sweep, in the words of insight/model.cpp;
//                                                without, the walk is not predicted
//
// Its CPU code is a function cpu::sweep(const EdgeList&, const Plan&, const Op&, Locks&, int threads), its
// GPU code gpu::OnDevice<Plan> (edges.cuh).
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

/// Edges, and how they are walked.
struct EdgePlan : EdgeList {
    EdgeWalk walk;

    EdgeId phases() const;  ///< 0 where it has none
    EdgeId bytes() const;   ///< of all arrays
};

/// Endpoints that the application's operator writes.
using Endpoints = Disjoint;

/// Flattens `schedule` (nullptr where the strategy needs none: the given order) for a strategy.
/// `held_out[e]` edges are left out (empty: none); phases that may change places run in the order `phases`.
/// Throws ScheduleError as require_form,
/// and when the plan would be illegal: an endpoint that the operator writes is neither disjoint in the
/// schedule nor guarded by a lock. What the schedule claims is taken for granted: schedules from elsewhere
/// are proved by verify_concurrency (verify.hpp). `ends`: whose state an end is to the operator, by locks too; a
/// graph of the other kind is refused. `ids`: the plan has each edge's. O(edges + vertices), 20 bytes an edge, 8
/// more with ids.
EdgePlan make_plan(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                   Endpoints written = Endpoints::both, const std::vector<bool>& held_out = {},
                   PhaseOrder phases = PhaseOrder::given, Ends ends = Ends::sides, bool ids = false);

/// Why a GPU cannot run a plan with an operator of this size, if it cannot: what does not fit, and what to
/// do. Memory is not asked for. O(edges log edges of a tile) where tiles lie on chip, O(blocks) elsewhere.
std::optional<std::string> why_not(const EdgePlan& plan, const OperatorSize& size,
                                   const gpu::Properties& device);

}  // namespace lockstep
