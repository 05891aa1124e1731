// A plan: the edges in execution order with the offsets that the traversal needs, the held-out edges
// left out. The plan is the schedule made flat; nothing is scheduled here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lockstep/executor/strategy.hpp"
#include "lockstep/schedules/schedule.hpp"
#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep {

/// Invariants: row, col, value, id have one entry an edge. Where present, task_offsets and
/// phase_offsets start at `locked` (in edges), phases never split a task, block_phases counts phases.
struct Plan {
    Traversal traversal = Traversal::racing;
    bool edge_locked_rest = false;
    VertexId rows = 0, cols = 0;
    Array<VertexId> row, col;
    Array<float> value;
    Array<EdgeId> id;                      ///< edge id in the graph
    EdgeId locked = 0;                     ///< leading edges that run under EL (all, for edge_locked)
    std::vector<EdgeId> phase_offsets;     ///< phases, resident, tasks: phase -> edges
    std::vector<EdgeId> task_offsets;      ///< tasks: task -> edges
    std::vector<EdgeId> phase_tasks;       ///< tasks: phase -> tasks
    std::vector<EdgeId> block_phases;      ///< resident: block -> phases
    std::vector<VertexId> residents;       ///< resident: items; node_locked: items in their order
    std::vector<EdgeId> resident_offsets;  ///< resident: block -> residents
    std::vector<EdgeId> item_edges;        ///< node_locked: i-th of `residents` -> edges
    std::vector<EdgeId> phase_tiles, tile_steps, step_tasks;  ///< tiled: each level -> the next; local:
                                                              ///< step_tasks to edges
    std::vector<VertexId> row_order,
        col_order;  ///< tiled: the rows block after block; racing_tiles too: the columns
    std::vector<EdgeId> row_parts, col_parts;  ///< tiled, racing_tiles: block -> the above
    std::vector<EdgeId> tile_edges;            ///< racing_tiles: item block -> edges
    TileGrid grid;                             ///< tiled

    EdgeId racing_workers = ~EdgeId{0};  ///< racing on a GPU: most edges in flight
    EdgeId locked_workers = ~EdgeId{0};  ///< EL on a GPU: most edges in flight at first
    bool locked_in_blocks = false;       ///< … cut into one block a worker

    EdgeId edges() const { return row.size(); }
    EdgeId phases() const { return phase_offsets.empty() ? 0 : phase_offsets.size() - 1; }
    /// Bytes of all arrays.
    EdgeId bytes() const;
};

/// Endpoints that the application's operator writes.
using Endpoints = Disjoint;

/// Flattens `schedule` (nullptr where the strategy needs none: the given order) for a strategy.
/// `held_out[e]` edges are left out (empty: none). Throws ScheduleError as require_form,
/// and when the plan would be illegal: an endpoint that the operator writes is neither disjoint in the
/// schedule nor guarded by a lock. What the schedule claims is taken for granted: schedules from elsewhere
/// are proved by verify_concurrency (verify.hpp). O(edges + vertices), 20 bytes an edge.
Plan make_plan(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
               Endpoints written = Endpoints::both, const std::vector<bool>& held_out = {});

/// The edges of a resident plan sorted by (item, phase): what a worker that owns items walks through.
struct ResidentLayout {
    std::vector<EdgeId> slot_edges;  ///< i-th of plan.residents -> entries below
    std::vector<EdgeId> edge;        ///< position in the plan
    std::vector<std::uint32_t> phase;
    std::vector<VertexId> row;
    std::vector<float> value;
};
ResidentLayout resident_layout(const Plan& plan);

/// Phases [first, last): one that all workers share, or a run of small ones for which a barrier of all would
/// cost more than it brings.
struct PhaseRun {
    EdgeId first, last;
    EdgeId begin, end;  ///< its edges
    EdgeId largest;     ///< edges of its largest phase
    bool shared;
};
/// Phases from `worth_sharing` edges on are shared. Runs of small ones do not cross a block, and hold at most
/// `most_edges` edges and `most_phases` phases. O(phases).
std::vector<PhaseRun> phase_runs(const Plan& plan, EdgeId worth_sharing, EdgeId most_edges = ~EdgeId{0},
                                 EdgeId most_phases = ~EdgeId{0});

/// What a sweep did.
struct SweepCounts {
    EdgeId updates = 0;        ///< edges processed; counted one by one in online modes
    std::uint64_t passes = 1;  ///< passes over the worklist (1 offline)
};

}  // namespace lockstep
