// Invalid plans, whose concurrent work meets at vertices.
#pragma once

#include <numeric>

#include "lockstep/executor/edge/plan.hpp"

namespace lockstep::test {

/// Returns the plan of an offline walk without the levels that keep its edges apart. It still has the form of
/// a plan of this walk.
inline EdgePlan all_at_once(EdgePlan plan) {
    const auto count_up = [](EdgeId size) {
        std::vector<EdgeId> numbers(size);
        std::iota(numbers.begin(), numbers.end(), EdgeId{0});
        return numbers;
    };
    /// Makes phases: phase k has the k-th edge of each column.
    const auto by_turn_of_column = [](EdgeList& edges) {
        std::vector<EdgeId> turn, met(edges.cols), order(edges.edges()), phases{0};
        for (const VertexId v : edges.col) turn.push_back(met[v]++);
        std::iota(order.begin(), order.end(), EdgeId{0});
        std::stable_sort(order.begin(), order.end(), [&](EdgeId a, EdgeId b) { return turn[a] < turn[b]; });
        const EdgeList old = edges;
        for (EdgeId i = 0; i < order.size(); ++i) {
            edges.row[i] = old.row[order[i]], edges.col[i] = old.col[order[i]];
            edges.value[i] = old.value[order[i]];
            if (i > 0 && turn[order[i]] != turn[order[i - 1]]) phases.push_back(i);
        }
        phases.push_back(order.size());
        return phases;
    };
    /// Makes a star of each edge, and one step of all stars of a tile.
    const auto in_one_step = [&](TiledPlan& tiled) {
        if (tiled.grid.tiles() == 0) return;
        const EdgeId begin = tiled.task_offsets.front(), end = tiled.task_offsets.back();
        std::vector<EdgeId> first;  // index of the first edge of each tile
        for (EdgeId tile = 0; tile <= tiled.grid.tiles(); ++tile)
            first.push_back(tiled.task_offsets[tiled.first_task(tile)] - begin);
        tiled.tile_steps = count_up(tiled.grid.tiles() + 1);
        tiled.step_tasks = std::move(first);
        tiled.task_offsets.resize(end - begin + 1);
        std::iota(tiled.task_offsets.begin(), tiled.task_offsets.end(), begin);
    };
    if (auto* phases = std::get_if<PhasesPlan>(&plan.walk)) {
        phases->phase_offsets = {0, plan.edges()};
    } else if (auto* resident = std::get_if<ResidentPlan>(&plan.walk)) {
        resident->phase_offsets = by_turn_of_column(plan);
        resident->block_phases = {0, resident->phases()};
        resident->residents.resize(plan.cols);
        std::iota(resident->residents.begin(), resident->residents.end(), VertexId{0});
        resident->resident_offsets = {0, plan.cols};
    } else if (auto* tasks = std::get_if<TasksPlan>(&plan.walk)) {
        tasks->phase_tasks = {0, tasks->phase_tasks.back()};
    } else if (auto* stars = std::get_if<StarsPlan>(&plan.walk)) {
        stars->phase_stars = {0, stars->phase_stars.back()};
    } else if (auto* tiled = std::get_if<TiledPlan>(&plan.walk)) {
        in_one_step(*tiled);
    } else if (auto* local = std::get_if<LocalPlan>(&plan.walk)) {
        std::vector<EdgeId> first;
        for (EdgeId tile = 0; tile <= local->phase_tiles.back(); ++tile)
            first.push_back(local->first_edge(tile));
        local->tile_steps = count_up(local->phase_tiles.back() + 1);
        local->step_edges = std::move(first);
    }
    return plan;
}

}  // namespace lockstep::test
