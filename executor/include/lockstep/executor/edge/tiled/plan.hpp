// The plan of the tiled walk, for schedules of the form phase ⊃ tile ⊃ step ⊃ task ⊃ edge. One thread block
// processes a tile with its vectors in shared memory, and one worker processes a task, which is a star.
#pragma once

#include <algorithm>
#include <vector>

#include "lockstep/executor/edge/fits.hpp"
#include "lockstep/executor/edge/plan_parts.hpp"
#include "lockstep/executor/walk.hpp"
#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep {

/// The plan of the tiled walk. A tile consists of the edges between one block of columns and one block of
/// rows. `grid` determines in which phase these two blocks meet.
struct TiledPlan {
    static constexpr Walk facts{.name = "tiled", .form = forms::tiles, .one_set = false};
    static constexpr bool in_shared_memory = true;
    TileGrid grid;
    /// index of the first step of each tile, and of the first task of each step
    std::vector<EdgeId> tile_steps, step_tasks;
    Array<EdgeId> task_offsets;                  ///< index of the first edge of each task
    std::vector<VertexId> row_order, col_order;  ///< vertices that are in blocks, sorted by block
    /// index in `row_order` and `col_order` of the first vertex of each block
    std::vector<EdgeId> row_parts, col_parts;
    /// Whether the rows of the graph are kept in shared memory instead of the columns. The other members then
    /// refer to the transposed edges.
    bool turned = false;

    EdgeView walked(const EdgeList& edges) const { return {edges, turned}; }
    /// Builds the plan. Throws ScheduleError if the schedule is not a tiled one in the format of this
    /// version.
    static TiledPlan make(const PlanParts& parts);
    EdgeId phases() const { return grid.phases(); }
    EdgeId bytes() const {
        return bytes_of(tile_steps, step_tasks, task_offsets, row_order, col_order, row_parts, col_parts);
    }
    EdgeId first_task(EdgeId tile) const { return step_tasks[tile_steps[tile]]; }
    std::optional<std::string> why_not(const EdgeList& edges, const OperatorSize& size,
                                       const gpu::Properties& device) const;
    template <class Model>
    static void terms(Model& m) {
        m.add("edges", m.edges_text(), m.edges * m.cost("tiled.edge"));
        m.add("hub",
              m.count(m.graph.largest()) + " edges of the vertex with the largest degree, one after another",
              m.graph.largest() * m.cost("tiled.hub"));
        if (!m.gpu) return;
        // If there are more blocks of columns than thread blocks, groups of them run one after another.
        const double groups = std::max(1.0, m.schedule.blocks / m.threads());
        m.add("steps", m.count(groups * m.schedule.steps) + " steps of a thread block",
              groups * m.schedule.steps * m.probe.block_barrier);
        m.add("phases", m.count(groups * m.schedule.rounds) + " flags between neighbouring thread blocks",
              groups * m.schedule.rounds * m.probe.barrier);
    }
};

}  // namespace lockstep
