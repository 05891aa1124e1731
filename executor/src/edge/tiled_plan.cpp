#include "lockstep/executor/edge/tiled/plan.hpp"

#include <algorithm>

#include "lockstep/executor/edge/blocks.hpp"

namespace lockstep {

namespace {

/// Throws ScheduleError if the first edge of a tile belongs to other blocks of rows and columns than the grid
/// assigns to this tile. O(tiles + vertices)
void check_tiles(const EdgeView& edges, const TiledPlan& plan) {
    const std::vector<VertexId> row_block = blocks_of(plan.row_order, plan.row_parts, edges.rows),
                                col_block = blocks_of(plan.col_order, plan.col_parts, edges.cols);
    const EdgeId tiles = plan.grid.tiles();
    EdgeId wrong = tiles;
#pragma omp parallel for schedule(static) reduction(min : wrong)
    for (EdgeId tile = 0; tile < tiles; ++tile) {
        const EdgeId first = plan.task_offsets[plan.first_task(tile)],
                     end = plan.task_offsets[plan.first_task(tile + 1)];
        if (first == end) continue;
        const EdgeId p = col_block[edges.col[first]], u = row_block[edges.row[first]];
        if (plan.grid.tile(p, u) != tile) wrong = std::min(wrong, tile);
    }
    if (wrong < tiles)
        throw ScheduleError("tile " + std::to_string(wrong) +
                            " of the tiled schedule contains edges of other blocks than this version assigns "
                            "to the tile; preprocess again");
}

/// Returns parts.offsets(Level::task). It is computed in parallel, because there are many tasks.
Array<EdgeId> offsets_of_tasks(const PlanParts& parts) {
    const std::vector<EdgeId>& level = parts.level(Level::task);
    Array<EdgeId> offsets(level.size());
#pragma omp parallel for schedule(static)
    for (std::size_t t = 0; t < offsets.size(); ++t)
        offsets[t] = parts.kept.before(level[t] + parts.schedule->locked);
    return offsets;
}

}  // namespace

TiledPlan TiledPlan::make(const PlanParts& parts) {
    const Schedule& schedule = *parts.schedule;
    TiledPlan plan{tile_grid(schedule),     schedule.level(Level::tile), schedule.level(Level::step),
                   offsets_of_tasks(parts), schedule.row_order,          schedule.col_order,
                   schedule.row_parts,      schedule.col_parts};
    if (rows_reside(schedule)) {
        plan.row_order.swap(plan.col_order), plan.row_parts.swap(plan.col_parts);
        plan.turned = true;
    }
    check_tiles(plan.walked(parts.edges), plan);
    return plan;
}

}  // namespace lockstep
