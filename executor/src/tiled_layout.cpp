#include "lockstep/executor/tiled_layout.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace lockstep {

namespace {

constexpr EdgeId header_words = 4, most_pairs = (1 << 16) - 1, most_bytes = EdgeId{1} << 31;

VertexId largest_part(const std::vector<EdgeId>& parts) {
    EdgeId largest = 0;
    for (std::size_t b = 0; b + 1 < parts.size(); ++b) largest = std::max(largest, parts[b + 1] - parts[b]);
    return static_cast<VertexId>(largest);
}

/// Where every vertex's vector begins in its block, in bytes.
std::vector<std::uint32_t> places(const std::vector<VertexId>& order, const std::vector<EdgeId>& parts,
                                  EdgeId stride) {
    std::vector<std::uint32_t> place(order.size());
    for (std::size_t b = 0; b + 1 < parts.size(); ++b) {
        for (EdgeId i = parts[b]; i < parts[b + 1]; ++i)
            place[order[i]] = static_cast<std::uint32_t>((i - parts[b]) * stride * sizeof(float));
    }
    return place;
}

/// The tiles of a plan, and the words of their streams.
struct Tiles {
    const Plan& plan;
    EdgeId first_step(EdgeId tile) const { return plan.tile_steps[tile]; }
    EdgeId steps(EdgeId tile) const { return first_step(tile + 1) - first_step(tile); }
    EdgeId first_task(EdgeId tile) const { return plan.step_tasks[first_step(tile)]; }
    EdgeId tasks(EdgeId tile) const { return first_task(tile + 1) - first_task(tile); }
    /// Where the stars begin: behind the steps, the chain's bound and the end's.
    EdgeId first_star(EdgeId tile) const { return (header_words + steps(tile) + 2 + 3) / 4 * 4; }
    /// Where the pairs begin.
    EdgeId first_pair(EdgeId tile) const { return first_star(tile) + (2 * tasks(tile) + 3) / 4 * 4; }
    /// The null pair counts.
    EdgeId pairs(EdgeId tile) const {
        EdgeId count = 1;
        for (EdgeId task = first_task(tile); task < first_task(tile + 1); ++task)
            count += (plan.task_offsets[task + 1] - plan.task_offsets[task] + 1) / 2;
        return count;
    }
};

}  // namespace

TiledLayout tiled_layout(const Plan& plan, EdgeId stride) {
    TiledLayout layout;
    layout.item_blocks = checked_cast<VertexId>(plan.col_parts.size() - 1, "item blocks");
    layout.user_blocks = checked_cast<VertexId>(plan.row_parts.size() - 1, "user blocks");
    layout.most_items = largest_part(plan.col_parts), layout.most_users = largest_part(plan.row_parts);
    const EdgeId blocks = layout.item_blocks, count = blocks * layout.user_blocks;
    const auto tile_at = [&](EdgeId i) {  // block after block -> the plan's order, phase after phase
        return i % layout.user_blocks * blocks + i / layout.user_blocks;
    };
    const Tiles tiles{plan};
    std::vector<EdgeId>& words_of = layout.tile_words;
    words_of.assign(count + 1, 0);
    const EdgeId most = std::max(layout.most_items, layout.most_users);
    EdgeId most_words = 0, largest = most * stride * sizeof(float) >= most_bytes ? most_pairs : 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(max : most_words, largest)
    for (EdgeId i = 0; i < count; ++i) {
        const EdgeId tile = tile_at(i), pairs = tiles.pairs(tile);
        words_of[i + 1] = tiles.first_pair(tile) + 4 * pairs;
        largest = std::max(largest, pairs), most_words = std::max(most_words, words_of[i + 1]);
    }
    layout.most_words = most_words;
    std::partial_sum(words_of.begin(), words_of.end(), words_of.begin());
    if (largest >= most_pairs) {
        throw ScheduleError(
            "a tile of the schedule is too large for a multiprocessor; preprocess with more "
            "--item-blocks and --user-blocks",
            Failure::no_device);
    }
    layout.words.resize(layout.tile_words.back());
    const std::vector<std::uint32_t> user = places(plan.row_order, plan.row_parts, stride);
    const std::vector<std::uint32_t> item = places(plan.col_order, plan.col_parts, stride);
    const auto length = [&](EdgeId task) { return plan.task_offsets[task + 1] - plan.task_offsets[task]; };
    EdgeId longest_chain = 0;
#pragma omp parallel reduction(max : longest_chain)
    {
        std::vector<EdgeId> order;
#pragma omp for schedule(dynamic, 64)
        for (EdgeId i = 0; i < count; ++i) {
            const EdgeId tile = tile_at(i);
            std::uint32_t* const words = layout.words.data() + layout.tile_words[i];
            std::uint32_t* const steps = words + header_words;
            std::uint32_t* const stars = words + tiles.first_star(tile);
            std::uint32_t* const pairs = words + tiles.first_pair(tile);
            words[0] = static_cast<std::uint32_t>(tiles.steps(tile));
            words[2] = static_cast<std::uint32_t>(tiles.first_pair(tile));
            const auto is_chain = [&](EdgeId task) {
                const EdgeId begin = plan.task_offsets[task];
                return item[plan.col[begin]] == 0 &&
                       (length(task) == 1 || plan.col[begin] == plan.col[begin + 1]);
            };
            EdgeId at = 0, pair = 1;
            for (EdgeId s = 0; s < tiles.steps(tile); ++s) {
                const EdgeId step = tiles.first_step(tile) + s;
                // Held-out edges shorten stars unevenly: longest first again, behind the chain.
                order.clear();
                for (EdgeId task = plan.step_tasks[step]; task < plan.step_tasks[step + 1]; ++task) {
                    if (length(task)) order.push_back(task);
                }
                const auto chain_end =
                    s ? order.begin() : std::stable_partition(order.begin(), order.end(), is_chain);
                std::stable_sort(chain_end, order.end(),
                                 [&](EdgeId a, EdgeId b) { return length(a) > length(b); });
                steps[s + 1] = static_cast<std::uint32_t>(s ? at : EdgeId(chain_end - order.begin()));
                for (const EdgeId task : order) {
                    const EdgeId begin = plan.task_offsets[task], size = length(task);
                    bool user_star = false;  // one edge: either end will do
                    if (size > 1) user_star = plan.row[begin] == plan.row[begin + 1];
                    const std::uint32_t centre = user_star ? user[plan.row[begin]] : item[plan.col[begin]];
                    stars[2 * at] = static_cast<std::uint32_t>(pair) |
                                    static_cast<std::uint32_t>(size) << 16;
                    stars[2 * at + 1] = centre | (user_star ? 1U << 31 : 0U);
                    const bool chain = s == 0 && at < steps[1];
                    if (chain) longest_chain = std::max(longest_chain, size);
                    const auto leaf = [&](EdgeId e) { return user_star ? item[plan.col[e]] : user[plan.row[e]]; };
                    for (EdgeId e = begin; e < begin + size; e += 2, ++pair) {
                        for (EdgeId k = 0; k < 2; ++k) {
                            const EdgeId edge = std::min(e + k, begin + size - 1);
                            pairs[4 * pair + k] = leaf(edge);
                            pairs[4 * pair + 2 + k] = std::bit_cast<std::uint32_t>(plan.value[edge]);
                            if (!chain && item[plan.col[edge]] == 0) words[1] = 1;
                        }
                    }
                    ++at;
                }
            }
            steps[tiles.steps(tile) + 1] = static_cast<std::uint32_t>(at);
        }
    }
    layout.longest_chain = longest_chain;
    return layout;
}

}  // namespace lockstep
