#include "lockstep/executor/tiled_layout.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>

namespace lockstep {

namespace {

constexpr EdgeId most_ids = 1 << 15, most_tasks = 1 << 16;

VertexId largest_part(const std::vector<EdgeId>& parts) {
    EdgeId largest = 0;
    for (std::size_t b = 0; b + 1 < parts.size(); ++b) largest = std::max(largest, parts[b + 1] - parts[b]);
    return static_cast<VertexId>(largest);
}

/// The place of every vertex in its block.
std::vector<std::uint16_t> places(const std::vector<VertexId>& order, const std::vector<EdgeId>& parts) {
    std::vector<std::uint16_t> place(order.size());
    for (std::size_t b = 0; b + 1 < parts.size(); ++b) {
        for (EdgeId i = parts[b]; i < parts[b + 1]; ++i)
            place[order[i]] = static_cast<std::uint16_t>(i - parts[b]);
    }
    return place;
}

}  // namespace

TiledLayout tiled_layout(const Plan& plan, EdgeId long_star, EdgeId batch) {
    TiledLayout layout;
    layout.item_blocks = checked_cast<VertexId>(plan.col_parts.size() - 1, "item blocks");
    layout.user_blocks = checked_cast<VertexId>(plan.row_parts.size() - 1, "user blocks");
    layout.most_items = largest_part(plan.col_parts), layout.most_users = largest_part(plan.row_parts);
    const auto refuse = [] {
        throw ScheduleError(
            "a tile of the schedule is too large for a multiprocessor; preprocess with more "
            "--item-blocks and --user-blocks",
            Failure::no_device);
    };
    if (layout.most_items > most_ids || layout.most_users > most_ids) refuse();
    const EdgeId blocks = layout.item_blocks, tiles = blocks * layout.user_blocks;
    const auto tile_at = [&](EdgeId i) {  // block after block -> the plan's order, phase after phase
        return i % layout.user_blocks * blocks + i / layout.user_blocks;
    };
    const auto first_task = [&](EdgeId tile) { return plan.step_tasks[plan.tile_steps[tile]]; };
    const auto tile_edges = [&](EdgeId tile) {
        return plan.task_offsets[first_task(tile + 1)] - plan.task_offsets[first_task(tile)];
    };
    const auto tile_tasks = [&](EdgeId tile) { return first_task(tile + 1) - first_task(tile); };
    const auto tile_steps = [&](EdgeId tile) { return plan.tile_steps[tile + 1] - plan.tile_steps[tile]; };

    layout.tile_words.assign(tiles + 1, 0);
    for (EdgeId i = 0; i < tiles; ++i) {
        const EdgeId tile = tile_at(i), edges = tile_edges(tile), tasks = tile_tasks(tile);
        if (tasks >= most_tasks) refuse();
        const EdgeId words = 3 + tile_steps(tile) + 2 * tasks + edges + (edges + 1) / 2;
        const EdgeId padded = (words + 3) / 4 * 4;
        layout.most_words = std::max(layout.most_words, padded);
        layout.tile_words[i + 1] = layout.tile_words[i] + padded;
    }
    layout.words.resize(layout.tile_words.back());
    const std::vector<std::uint16_t> user = places(plan.row_order, plan.row_parts);
    const std::vector<std::uint16_t> item = places(plan.col_order, plan.col_parts);
    EdgeId most_batches = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(max : most_batches)
    for (EdgeId i = 0; i < tiles; ++i) {
        const EdgeId tile = tile_at(i), edges = tile_edges(tile), tasks = tile_tasks(tile);
        std::uint32_t* const words = layout.words.data() + layout.tile_words[i];
        std::uint32_t* const steps = words + 2;
        std::uint32_t* const stars = steps + tile_steps(tile) + 1;
        std::uint32_t* const ratings = stars + 2 * tasks;
        auto* const leaves = reinterpret_cast<std::uint16_t*>(ratings + edges);
        words[0] = static_cast<std::uint32_t>(tile_steps(tile));
        words[1] = static_cast<std::uint32_t>(edges);
        const EdgeId task0 = first_task(tile), edge0 = plan.task_offsets[task0];
        for (EdgeId s = plan.tile_steps[tile]; s < plan.tile_steps[tile + 1]; ++s) {
            EdgeId long_stars = 0, batches = 0;
            // Held-out edges shorten stars unevenly: longest first again.
            std::vector<EdgeId> order(plan.step_tasks[s + 1] - plan.step_tasks[s]);
            std::iota(order.begin(), order.end(), plan.step_tasks[s]);
            const auto length = [&](EdgeId k) { return plan.task_offsets[k + 1] - plan.task_offsets[k]; };
            std::stable_sort(order.begin(), order.end(),
                             [&](EdgeId a, EdgeId b) { return length(a) > length(b); });
            EdgeId at = plan.step_tasks[s] - task0;
            steps[s - plan.tile_steps[tile]] = static_cast<std::uint32_t>(at);
            for (const EdgeId k : order) {
                const EdgeId begin = plan.task_offsets[k], size = length(k);
                if (size > long_star) ++long_stars, batches += (size + batch - 1) / batch;
                bool user_star = false;  // one edge: either end will do
                if (size > 1) user_star = plan.row[begin] == plan.row[begin + 1];
                const std::uint32_t centre = size == 0   ? 0
                                             : user_star ? user[plan.row[begin]]
                                                         : item[plan.col[begin]];
                stars[2 * at] = static_cast<std::uint32_t>(begin - edge0);
                stars[2 * at + 1] =
                    centre | (user_star ? 1U << 15 : 0U) | static_cast<std::uint32_t>(size) << 16;
                ++at;
                for (EdgeId e = begin; e < begin + size; ++e) {
                    ratings[e - edge0] = std::bit_cast<std::uint32_t>(plan.value[e]);
                    leaves[e - edge0] = user_star ? item[plan.col[e]] : user[plan.row[e]];
                }
            }
            steps[s - plan.tile_steps[tile]] |= static_cast<std::uint32_t>(long_stars) << 16;
            most_batches = std::max(most_batches, batches);
        }
        steps[tile_steps(tile)] = static_cast<std::uint32_t>(tasks);
    }
    layout.most_batches = most_batches;
    return layout;
}

}  // namespace lockstep
