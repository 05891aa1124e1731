#include "lockstep/executor/edge/core_tail.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockstep {

namespace {

constexpr VertexId nowhere = ~VertexId{0};

/// Entries [first, last] of offsets, from 0 on.
std::vector<EdgeId> slice(const std::vector<EdgeId>& offsets, EdgeId first, EdgeId last) {
    std::vector<EdgeId> part(offsets.begin() + static_cast<std::ptrdiff_t>(first),
                             offsets.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    for (EdgeId& offset : part) offset -= offsets[first];
    return part;
}

/// The vertices that are in a block, block after block, by number.
void set_order(const std::vector<VertexId>& block, EdgeId blocks, std::vector<VertexId>& order,
               std::vector<EdgeId>& parts) {
    parts.assign(blocks + 1, 0);
    for (const VertexId b : block) {
        if (b != nowhere) ++parts[b + std::size_t{1}];
    }
    std::partial_sum(parts.begin(), parts.end(), parts.begin());
    order.resize(parts.back());
    std::vector<EdgeId> next(parts.begin(), parts.end() - 1);
    for (VertexId v = 0; v < block.size(); ++v) {
        if (block[v] != nowhere) order[next[block[v]]++] = v;
    }
}

/// Which vertices a block has, by the tiles; first in a block of columns the one of most edges, whose star is
/// the chain. O(edges of the core + vertices)
void set_blocks(const EdgeView& edges, TiledPlan& plan) {
    const TileGrid& grid = plan.grid;
    std::vector<VertexId> row_block(edges.rows, nowhere), col_block(edges.cols, nowhere);
    std::vector<EdgeId> degree(edges.cols, 0);
    const auto for_each_edge = [&](EdgeId phase, EdgeId p, auto visit) {
        const EdgeId tile = phase * grid.item_blocks + p;
        for (EdgeId e = plan.task_offsets[plan.first_task(tile)];
             e < plan.task_offsets[plan.first_task(tile + 1)]; ++e)
            visit(e);
    };
#pragma omp parallel for schedule(dynamic)
    for (EdgeId p = 0; p < grid.item_blocks; ++p) {
        for (EdgeId t = 0; t < grid.phases(); ++t)
            for_each_edge(t, p, [&](EdgeId e) {
                col_block[edges.col[e]] = static_cast<VertexId>(p);
                ++degree[edges.col[e]];
            });
    }
#pragma omp parallel for schedule(dynamic)
    for (EdgeId u = 0; u < grid.user_blocks; ++u) {
        for (EdgeId p = 0; p < grid.item_blocks; ++p)
            for_each_edge(grid.phase(p, u), p,
                          [&](EdgeId e) { row_block[edges.row[e]] = static_cast<VertexId>(u); });
    }
    set_order(row_block, grid.user_blocks, plan.row_order, plan.row_parts);
    set_order(col_block, grid.item_blocks, plan.col_order, plan.col_parts);
    for (EdgeId p = 0; p < grid.item_blocks; ++p) {
        const auto at = [&](EdgeId i) { return plan.col_order.begin() + static_cast<std::ptrdiff_t>(i); };
        const auto first = at(plan.col_parts[p]), last = at(plan.col_parts[p + 1]);
        if (first == last) continue;
        const auto most =
            std::max_element(first, last, [&](VertexId a, VertexId b) { return degree[a] < degree[b]; });
        std::rotate(first, most, most + 1);
    }
}

TiledPlan core_plan(const PlanParts& parts, const std::vector<EdgeId>& tasks, const CoreTailParts::Core& core,
                    bool rows_reside, EdgeId first_round) {
    TiledPlan plan{};
    plan.grid = core.grid;
    plan.first_round = first_round;
    if (core.grid.tiles() == 0) return plan;
    const std::vector<EdgeId>&tiles = parts.level(Level::tile), &steps = parts.level(Level::step);
    const EdgeId first = core.first_tile, last = first + core.grid.tiles();
    plan.tile_steps = slice(tiles, first, last);
    plan.step_tasks = slice(steps, tiles[first], tiles[last]);
    const auto task = [&](EdgeId tile) {
        return tasks.begin() + static_cast<std::ptrdiff_t>(steps[tiles[tile]]);
    };
    plan.task_offsets.assign(task(first), task(last) + 1);
    plan.turned = rows_reside;
    set_blocks(plan.walked(parts.edges), plan);
    return plan;
}

}  // namespace

CoreTailPlan CoreTailPlan::make(const PlanParts& parts) {
    const CoreTailParts cores = core_tail_parts(*parts.schedule);
    const std::vector<EdgeId> tasks = parts.offsets(Level::task), phases = parts.offsets(Level::phase);
    CoreTailPlan plan;
    plan.tail.phase_offsets.assign(phases.begin() + static_cast<std::ptrdiff_t>(cores.first_tail_phase),
                                   phases.end());
    plan.users = core_plan(parts, tasks, cores.users, true, plan.tail.phases());
    plan.items = core_plan(parts, tasks, cores.items, false, plan.tail.phases() + plan.users.phases());
    return plan;
}

std::optional<std::string> CoreTailPlan::why_not(const EdgeList& edges, const OperatorSize& size,
                                                 const gpu::Properties& device) const {
    std::optional<std::string> why;
    for_each_core([&](const TiledPlan& core) {
        if (!why) why = core.why_not(edges, size, device);
    });
    return why;
}

}  // namespace lockstep
