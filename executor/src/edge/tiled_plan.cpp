#include "lockstep/executor/edge/tiled/plan.hpp"

#include "lockstep/executor/edge/blocks.hpp"

namespace lockstep {

namespace {

/// Every tile's first edge is of the blocks that the grid lets meet there. O(tiles + vertices)
void check_tiles(const EdgeView& edges, const TiledPlan& plan) {
    const std::vector<VertexId> row_block = blocks_of(plan.row_order, plan.row_parts, edges.rows),
                                col_block = blocks_of(plan.col_order, plan.col_parts, edges.cols);
    const EdgeId blocks = plan.grid.all_item_blocks();
    for (EdgeId tile = 0; tile < plan.grid.tiles(); ++tile) {
        const EdgeId first = plan.task_offsets[plan.first_task(tile)],
                     end = plan.task_offsets[plan.first_task(tile + 1)];
        if (first == end) continue;
        const EdgeId p = col_block[edges.col[first]], u = row_block[edges.row[first]];
        if (p != tile % blocks || plan.grid.phase(p, u) != tile / blocks) {
            throw ScheduleError("tile " + std::to_string(tile) +
                                " of the tiled schedule holds edges of other blocks than this version puts "
                                "there; preprocess again");
        }
    }
}

}  // namespace

TiledPlan TiledPlan::make(const PlanParts& parts) {
    const Schedule& schedule = *parts.schedule;
    TiledPlan plan{tile_grid(schedule),        schedule.level(Level::tile), schedule.level(Level::step),
                   parts.offsets(Level::task), schedule.row_order,          schedule.col_order,
                   schedule.row_parts,         schedule.col_parts};
    if (rows_reside(schedule)) {
        plan.row_order.swap(plan.col_order), plan.row_parts.swap(plan.col_parts);
        plan.turned = true;
    }
    check_tiles(plan.walked(parts.edges), plan);
    return plan;
}

}  // namespace lockstep
