// The tiled walk on the CPU. Threads claim tiles, phase after phase (turns.hpp), and each tile's stars run
// one after another. The arithmetic is exactly that of the GPU (star/arithmetic.hpp), so the results of CPU
// and GPU are bitwise identical.
#pragma once

#include <omp.h>

#include <algorithm>

#include "lockstep/executor/edge/locks.hpp"
#include "lockstep/executor/edge/star/cpu.hpp"
#include "lockstep/executor/edge/tiled/plan.hpp"
#include "lockstep/executor/edge/tiled/turns.hpp"

namespace lockstep::cpu {

template <EdgeOperator Op>
EdgeId run_oriented(const EdgeView& edges, const TiledPlan& plan, const Op& op, const TileRange& range,
                    int threads) {
    const auto run_tile = [&](EdgeId phase, EdgeId n) {
        EdgeId done = 0;
        const EdgeId tile = phase * plan.grid.side_by_side() + n,
                     col_block = plan.grid.item_block_of(phase, n);
        const EdgeId first_end =
            plan.step_tasks[std::min(plan.tile_steps[tile] + 1, plan.tile_steps[tile + 1])];
        for (EdgeId task = plan.first_task(tile); task < plan.first_task(tile + 1); ++task) {
            const EdgeId begin = plan.task_offsets[task], end = plan.task_offsets[task + 1];
            if (begin == end) continue;  // all its edges are held out
            done += end - begin;
            const bool of_row = share_row(edges, begin, end);
            if constexpr (AffineOperator<Op>) {
                if (end - begin > EdgeId{long_star} && task < first_end && !of_row &&
                    edges.col[begin] == plan.col_order[plan.col_parts[col_block]]) {
                    run_long_star(Star<Op>{edges, op, begin, end, of_row});
                } else {
                    // A second Star object: passing the address of the other one would keep this one out of
                    // registers
                    run_star<2>(Star<Op>{edges, op, begin, end, of_row});
                }
            } else {
                run_edges(edges, op, begin, end, of_row, EdgePosition{begin, phase, tile});
            }
        }
        return done;
    };
    TileTurns turns(plan.grid, range, threads);
    EdgeId updates = 0;
#pragma omp parallel num_threads(threads) reduction(+ : updates)
    turns.work([&](EdgeId phase, EdgeId n) { updates += run_tile(phase, n); });
    return updates;
}
/// Runs the tiles of a range, and returns the number of updated edges.
template <EdgeOperator Op>
EdgeId run_tiles(const EdgeList& edges, const TiledPlan& plan, const Op& op, const TileRange& range,
                 int threads) {
    if (!plan.turned) return run_oriented(plan.walked(edges), plan, op, range, threads);
    return run_oriented(plan.walked(edges), plan, swap_sides(op), range, threads);
}

template <EdgeOperator Op>
SweepCounts sweep(const EdgeList& edges, const TiledPlan& plan, const Op& op, Locks&, int threads) {
    return {run_tiles(edges, plan, op, TileRange{0, plan.grid.groups, 0, plan.grid.strata()}, threads), 1};
}

}  // namespace lockstep::cpu
