// A plan: the schedule made flat for a walk, which is what its type says. Nothing is scheduled here.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lockstep/executor/device/properties.hpp"
#include "lockstep/executor/edge/composed.hpp"
#include "lockstep/executor/edge/edge_locked.hpp"
#include "lockstep/executor/edge/list.hpp"
#include "lockstep/executor/edge/local/plan.hpp"
#include "lockstep/executor/edge/node_locked.hpp"
#include "lockstep/executor/edge/operator_size.hpp"
#include "lockstep/executor/edge/phases.hpp"
#include "lockstep/executor/edge/racing.hpp"
#include "lockstep/executor/edge/racing_tiles.hpp"
#include "lockstep/executor/edge/resident.hpp"
#include "lockstep/executor/edge/tasks.hpp"
#include "lockstep/executor/edge/tiled/plan.hpp"
#include "lockstep/executor/strategy.hpp"
#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// Edges, and how they are walked: each walk has a file of its own, with its plan and its CPU code (*.hpp),
/// and its GPU code (*.cuh).
struct EdgePlan : EdgeList {
    std::variant<PhasesPlan, ResidentPlan, TasksPlan, TiledPlan, LocalPlan, EdgeLockedPlan, NodeLockedPlan,
                 EdgeLockedThenResident, NodeLockedThenEdge, RacingPlan, RacingTilesPlan>
        walk;

    EdgeId phases() const;  ///< 0 where it has none
    EdgeId bytes() const;   ///< of all arrays
};

/// Endpoints that the application's operator writes.
using Endpoints = Disjoint;

/// Flattens `schedule` (nullptr where the strategy needs none: the given order) for a strategy.
/// `held_out[e]` edges are left out (empty: none). Throws ScheduleError as require_form,
/// and when the plan would be illegal: an endpoint that the operator writes is neither disjoint in the
/// schedule nor guarded by a lock. What the schedule claims is taken for granted: schedules from elsewhere
/// are proved by verify_concurrency (verify.hpp). O(edges + vertices), 20 bytes an edge.
EdgePlan make_plan(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                   Endpoints written = Endpoints::both, const std::vector<bool>& held_out = {});

/// Why a GPU cannot run a plan with an operator of this size, if it cannot: what does not fit, and what to
/// do. Memory is not asked for. O(edges log edges of a tile) where tiles lie on chip, O(blocks) elsewhere.
std::optional<std::string> why_not(const EdgePlan& plan, const OperatorSize& size,
                                   const gpu::Properties& device);

}  // namespace lockstep
