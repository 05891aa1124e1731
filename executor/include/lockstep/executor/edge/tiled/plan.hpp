// phase ⊃ tile ⊃ step ⊃ task ⊃ edge: a thread block a tile, one worker a star.
#pragma once

#include <algorithm>
#include <vector>

#include "lockstep/executor/edge/fits.hpp"
#include "lockstep/executor/edge/plan_parts.hpp"
#include "lockstep/executor/walk.hpp"
#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep {

/// Blocks of columns meet blocks of rows, a tile each, as the grid says.
struct TiledPlan {
    static constexpr Walk facts{.name = "tiled", .form = forms::tiles, .one_set = false};
    static constexpr bool on_chip = true;
    TileGrid grid;
    std::vector<EdgeId> tile_steps, step_tasks;  ///< tile -> steps, step -> tasks
    Array<EdgeId> task_offsets;                  ///< task -> edges
    std::vector<VertexId> row_order, col_order;  ///< those in blocks, block after block
    std::vector<EdgeId> row_parts, col_parts;    ///< block -> the above
    bool turned = false;     ///< the rows of the graph stay on chip: all of the above is of its edges turned
    EdgeId first_round = 0;  ///< of the rounds that a Place names

    EdgeView walked(const EdgeList& edges) const { return {edges, turned}; }
    /// Throws ScheduleError where the schedule is no tiled one of this version.
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
        m.add("hub", m.count(m.graph.largest()) + " edges of the largest degree after one another",
              m.graph.largest() * m.cost("tiled.hub"));
        if (!m.gpu) return;
        // Groups of item blocks take turns on the thread blocks.
        const double groups = std::max(1.0, m.schedule.blocks / m.threads());
        m.add("steps", m.count(groups * m.schedule.steps) + " steps of a thread block",
              groups * m.schedule.steps * m.probe.block_barrier);
        m.add("phases", m.count(groups * m.schedule.rounds) + " flags between neighbours",
              groups * m.schedule.rounds * m.probe.barrier);
    }
};

}  // namespace lockstep
