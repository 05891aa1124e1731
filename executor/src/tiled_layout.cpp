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

/// The place of every vertex in its block.
std::vector<VertexId> places(const std::vector<VertexId>& order, const std::vector<EdgeId>& parts) {
    std::vector<VertexId> place(order.size());
    for (std::size_t b = 0; b + 1 < parts.size(); ++b) {
        for (EdgeId i = parts[b]; i < parts[b + 1]; ++i)
            place[order[i]] = static_cast<VertexId>(i - parts[b]);
    }
    return place;
}

/// The tiles of a plan: their sizes, and what is written of each.
class Tiles {
public:
    Tiles(const Plan& plan, EdgeId vector_bytes)
        : plan_(plan),
          user_(places(plan.row_order, plan.row_parts)),
          item_(places(plan.col_order, plan.col_parts)),
          vector_(static_cast<std::uint32_t>(vector_bytes)) {}

    /// The null pair counts.
    EdgeId pairs(EdgeId tile) const {
        EdgeId count = 1;
        for (EdgeId task = first_task(tile); task < first_task(tile + 1); ++task)
            count += (length(task) + 1) / 2;
        return count;
    }
    /// Where the stars begin: behind the steps, those of the chains as well, and their end.
    EdgeId first_star(EdgeId tile) const {
        const EdgeId steps = plan_.tile_steps[tile + 1] - plan_.tile_steps[tile];
        return (header_words + 2 * steps + 2 + 3) / 4 * 4;
    }
    EdgeId first_pair(EdgeId tile) const {
        return first_star(tile) + (2 * (first_task(tile + 1) - first_task(tile)) + 3) / 4 * 4;
    }

    /// The chains of a tile.
    struct Chains {
        EdgeId items = 0;   ///< first items of the block
        bool whole = true;  ///< all of their stars, not that of the first step alone
    };
    /// The first items of the block, `most` at most, that have long stars in the first step, where all of
    /// their edges are in stars of their own and no user meets another item before. That of the first item
    /// always is a chain.
    Chains chains(EdgeId tile, EdgeId most, EdgeId long_star, std::vector<bool>& met) const {
        EdgeId count = 0;
        const EdgeId step = plan_.tile_steps[tile];
        if (step == plan_.tile_steps[tile + 1]) return {};
        std::vector<bool> is_long(most);
        for (EdgeId task = plan_.step_tasks[step]; task < plan_.step_tasks[step + 1]; ++task) {
            if (own_item(task) < most && length(task) > long_star) is_long[own_item(task)] = true;
        }
        while (count < most && is_long[count]) ++count;
        while (count > 1 && !lead(tile, count, met)) --count;
        return {count, count > 1 || (count == 1 && lead(tile, 1, met))};
    }

    struct Written {
        EdgeId longest_chain = 0;       ///< edges
        EdgeId first_met = ~EdgeId{0};  ///< the first item of the block that is met outside the chains
        bool long_chain = false;        ///< the first chain is the first item's in the first step
    };
    Written write(EdgeId tile, const Chains& chains, std::uint32_t* words) const {
        Written written;
        std::uint32_t *const steps = words + header_words, *const stars = words + first_star(tile),
                             *const pairs = words + first_pair(tile);
        EdgeId at = 0, pair = 1, count[2] = {0, 0};
        std::vector<EdgeId> order;
        for (const bool chain : {true, false}) {
            for (EdgeId s = plan_.tile_steps[tile]; s < plan_.tile_steps[tile + 1]; ++s) {
                const bool first_step = s == plan_.tile_steps[tile];
                order.clear();
                for (EdgeId task = plan_.step_tasks[s]; task < plan_.step_tasks[s + 1]; ++task) {
                    const bool in_chain = own_item(task) < chains.items && (first_step || chains.whole);
                    if (length(task) && in_chain == chain) order.push_back(task);
                }
                // The others' first step runs beside the chains, even where there is nothing in it.
                if (order.empty() && (chain || !first_step)) continue;
                // The first item's chain leads. Held-out edges shorten stars unevenly: longest first again.
                const auto rest = std::stable_partition(
                    order.begin(), order.end(), [&](EdgeId task) { return chain && own_item(task) == 0; });
                std::stable_sort(rest, order.end(),
                                 [&](EdgeId a, EdgeId b) { return length(a) > length(b); });
                steps[count[0] + count[1]] = static_cast<std::uint32_t>(at);
                ++count[chain ? 0 : 1];
                for (const EdgeId task : order) {
                    stars[2 * at] = static_cast<std::uint32_t>(pair | length(task) << 16);
                    stars[2 * at++ + 1] = centre(task);
                    write_pairs(task, pairs + 4 * pair);
                    pair += (length(task) + 1) / 2;
                    if (chain) {
                        written.long_chain |= first_step && own_item(task) == 0;
                        written.longest_chain = std::max(written.longest_chain, length(task));
                    } else {
                        written.first_met = std::min(written.first_met, first_item(task));
                    }
                }
            }
        }
        steps[count[0] + count[1]] = static_cast<std::uint32_t>(at);
        words[0] = static_cast<std::uint32_t>(count[0] | first_star(tile) << 16);
        words[1] = static_cast<std::uint32_t>(count[1]);
        words[2] = static_cast<std::uint32_t>(first_pair(tile));
        words[3] = written.long_chain;
        return written;
    }

private:
    static constexpr EdgeId none = ~EdgeId{0};

    EdgeId first_task(EdgeId tile) const { return plan_.step_tasks[plan_.tile_steps[tile]]; }
    EdgeId length(EdgeId task) const { return plan_.task_offsets[task + 1] - plan_.task_offsets[task]; }
    /// Of one edge: either end will do.
    bool of_user(EdgeId task) const {
        const EdgeId begin = plan_.task_offsets[task];
        return length(task) > 1 && plan_.row[begin] == plan_.row[begin + 1];
    }
    /// The place of the item whose star it is.
    EdgeId own_item(EdgeId task) const {
        return length(task) == 0 || of_user(task) ? none : item_[plan_.col[plan_.task_offsets[task]]];
    }
    /// The least place of its items.
    EdgeId first_item(EdgeId task) const {
        EdgeId first = none;
        for (EdgeId e = plan_.task_offsets[task]; e < plan_.task_offsets[task + 1]; ++e)
            first = std::min(first, EdgeId{item_[plan_.col[e]]});
        return first;
    }
    std::uint32_t centre(EdgeId task) const {
        const EdgeId begin = plan_.task_offsets[task];
        return of_user(task) ? user_[plan_.row[begin]] * vector_ | 1U << 31
                             : item_[plan_.col[begin]] * vector_;
    }
    void write_pairs(EdgeId task, std::uint32_t* to) const {
        const EdgeId begin = plan_.task_offsets[task], end = plan_.task_offsets[task + 1];
        const bool user_star = of_user(task);
        for (EdgeId e = begin; e < end; e += 2, to += 4) {
            for (EdgeId k = 0; k < 2; ++k) {
                const EdgeId edge = std::min(e + k, end - 1);
                to[k] = (user_star ? item_[plan_.col[edge]] : user_[plan_.row[edge]]) * vector_;
                to[2 + k] = std::bit_cast<std::uint32_t>(plan_.value[edge]);
            }
        }
    }
    /// `met`: scratch, all false, as long as a block of users.
    bool lead(EdgeId tile, EdgeId count, std::vector<bool>& met) const {
        bool lead = true;
        const EdgeId first = first_task(tile), last = first_task(tile + 1);
        for (EdgeId task = first; task < last; ++task) {  // step after step
            const bool chain = own_item(task) < count;
            if (!chain && first_item(task) < count) lead = false;
            for (EdgeId e = plan_.task_offsets[task]; e < plan_.task_offsets[task + 1]; ++e) {
                if (chain && met[user_[plan_.row[e]]]) lead = false;
                if (!chain) met[user_[plan_.row[e]]] = true;
            }
        }
        for (EdgeId e = plan_.task_offsets[first]; e < plan_.task_offsets[last]; ++e)
            met[user_[plan_.row[e]]] = false;
        return lead;
    }

    const Plan& plan_;
    std::vector<VertexId> user_, item_;
    std::uint32_t vector_;  ///< bytes of a vector
};

}  // namespace

TiledLayout tiled_layout(const Plan& plan, EdgeId vector_bytes, EdgeId chains, EdgeId long_star) {
    TiledLayout layout;
    const TileGrid& grid = layout.grid = plan.grid;
    layout.most_items = largest_part(plan.col_parts), layout.most_users = largest_part(plan.row_parts);
    const EdgeId blocks = grid.item_blocks, phases = grid.user_blocks, count = grid.tiles();
    const auto tile_at = [&](EdgeId i) {  // as the plan has them: all groups of a phase side by side
        const EdgeId p = i % blocks, t = i / blocks % phases, super_tile = i / (blocks * phases);
        const EdgeId g = super_tile % grid.groups, s = super_tile / grid.groups;
        return (s * phases + t) * grid.all_item_blocks() + g * blocks + p;
    };
    const Tiles tiles(plan, vector_bytes);
    std::vector<EdgeId>& tile_words = layout.tile_words;
    tile_words.assign(count + 1, 0);
    EdgeId most_words = 0, largest = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(max : most_words, largest)
    for (EdgeId i = 0; i < count; ++i) {
        const EdgeId tile = tile_at(i), pairs = tiles.pairs(tile), first_pair = tiles.first_pair(tile);
        tile_words[i + 1] = first_pair + 4 * pairs;
        largest = std::max({largest, pairs, first_pair}),
        most_words = std::max(most_words, tile_words[i + 1]);
    }
    layout.most_words = most_words;
    if (largest >= most_pairs ||
        std::max(layout.most_items, layout.most_users) * vector_bytes >= most_bytes) {
        throw ScheduleError(
            "a tile of the schedule is too large for a multiprocessor; preprocess with more "
            "--item-blocks and --user-blocks",
            Failure::no_device);
    }
    std::partial_sum(tile_words.begin(), tile_words.end(), tile_words.begin());
    layout.words.resize(tile_words.back());
    std::vector<EdgeId> tile_chains(count), first_met(count);
    EdgeId longest_chain = 0;
#pragma omp parallel reduction(max : longest_chain)
    {
        std::vector<bool> met(layout.most_users);
#pragma omp for schedule(dynamic, 64)
        for (EdgeId i = 0; i < count; ++i) {
            const auto found = tiles.chains(tile_at(i), chains, long_star, met);
            const auto written = tiles.write(tile_at(i), found, layout.words.data() + tile_words[i]);
            tile_chains[i] = found.items;
            longest_chain = std::max(longest_chain, written.longest_chain);
            first_met[i] = written.first_met;
        }
    }
    layout.longest_chain = longest_chain;
    for (EdgeId i = 0; i < count; ++i) {
        const bool last_phase = i / blocks % phases + 1 == phases;
        if (!last_phase && first_met[i] < tile_chains[i + blocks]) layout.words[tile_words[i] + 3] |= 2;
    }
    return layout;
}

}  // namespace lockstep
