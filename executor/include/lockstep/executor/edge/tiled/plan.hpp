// phase ⊃ tile ⊃ step ⊃ task ⊃ edge: a thread block a tile, one worker a star.
#pragma once

#include <vector>

#include "lockstep/executor/edge/list.hpp"
#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep {

/// Blocks of columns meet blocks of rows, a tile each, as the grid says.
struct TiledPlan {
    TileGrid grid;
    std::vector<EdgeId> tile_steps, step_tasks, task_offsets;  ///< each level -> the next, tasks to edges
    std::vector<VertexId> row_order, col_order;                ///< the vertices, block after block
    std::vector<EdgeId> row_parts, col_parts;                  ///< block -> the above

    EdgeId phases() const { return grid.phases(); }
    EdgeId bytes() const {
        return bytes_of(tile_steps, step_tasks, task_offsets, row_order, col_order, row_parts, col_parts);
    }
    EdgeId first_task(EdgeId tile) const { return step_tasks[tile_steps[tile]]; }
};

}  // namespace lockstep
