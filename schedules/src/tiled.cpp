// The tiled schedule: P item blocks x R user blocks, a tile where they meet.
//
// Item block p stays on chip through the sweep; in phase t it meets user block (2p + t) mod R. So the
// tiles of a phase share nothing, and a user block that p needs in phase t was given up by p + 1 two phases
// before: it can be on its way while phase t - 1 runs, and no device-wide barrier is needed.
//
// Inside a tile a step is a star forest: its tasks are stars that share no vertex, a star's edges run in
// order on one worker with the centre in registers. A tile needs about as many steps as its users have
// edges there, where matchings would need as many as its most rated item has.
#include <algorithm>
#include <bit>
#include <numeric>
#include <queue>

#include "grouping.hpp"
#include "lockstep/schedules/builders.hpp"
#include "shuffle.hpp"

namespace lockstep {

namespace {

/// Vertices dealt to blocks: positions parts[b] … parts[b + 1] - 1 of `order` are block b.
struct Blocks {
    std::vector<VertexId> order;
    std::vector<EdgeId> parts;
};

/// Each vertex, the largest degree first, to the block with the least work that still has room. A block's
/// first vertex counts `first_weight` times: it is the longest chain of updates, which nothing shortens.
Blocks balanced_by_work(const std::vector<EdgeId>& degree, VertexId blocks, double first_weight) {
    const auto vertices = static_cast<VertexId>(degree.size());
    const EdgeId room = 2 * ((EdgeId{vertices} + blocks - 1) / blocks);
    using Load = std::pair<double, VertexId>;
    std::priority_queue<Load, std::vector<Load>, std::greater<>> least;
    for (VertexId b = 0; b < blocks; ++b) least.emplace(0, b);
    std::vector<std::vector<VertexId>> members(blocks);
    for (const VertexId v : by_decreasing_degree(degree)) {
        auto [load, b] = least.top();
        least.pop();
        load += (members[b].empty() ? first_weight : 1) * static_cast<double>(degree[v]) + 1;
        members[b].push_back(v);
        if (members[b].size() < room) least.emplace(load, b);
    }
    Blocks result;
    result.parts.assign(1, 0);
    for (const auto& block : members) {
        result.order.insert(result.order.end(), block.begin(), block.end());
        result.parts.push_back(result.order.size());
    }
    return result;
}

/// Blocks of equal size: the vertices by decreasing degree are dealt out to and fro.
Blocks balanced_by_size(const std::vector<EdgeId>& degree, VertexId blocks) {
    const std::vector<VertexId> sorted = by_decreasing_degree(degree);
    Blocks result;
    result.parts.assign(1, 0);
    for (EdgeId b = 0; b < blocks; ++b) {
        for (EdgeId round = 0;; ++round) {
            const EdgeId at = round * blocks + (round % 2 ? blocks - 1 - b : b);
            if (round * blocks >= sorted.size()) break;
            if (at < sorted.size()) result.order.push_back(sorted[at]);
        }
        result.parts.push_back(result.order.size());
    }
    return result;
}

struct Geometry {
    VertexId item_blocks, user_blocks;
};

/// P: a block a multiprocessor. R: the smallest multiple of P, from 2 P on, with which the items, two user
/// blocks and the tiles' records fit on chip.
Geometry choose_geometry(const Graph& graph, const BuildOptions& options) {
    constexpr EdgeId edge_bytes = 10, other_bytes = 36 << 10;
    const EdgeId vector_bytes = (EdgeId{options.rank} + 3) / 4 * 16;
    const auto few = [](EdgeId a, EdgeId b) {
        return static_cast<VertexId>(std::max<EdgeId>(1, std::min(a, b)));
    };
    Geometry g{};
    g.item_blocks = options.item_blocks ? options.item_blocks : few(options.multiprocessors, graph.cols);
    g.user_blocks = options.user_blocks;
    if (g.user_blocks && g.user_blocks < 2 * EdgeId{g.item_blocks})
        throw ScheduleError("tiled: user blocks must be at least twice the item blocks", Failure::usage);
    const EdgeId items = (EdgeId{graph.cols} + g.item_blocks - 1) / g.item_blocks * 5 / 4;
    for (EdgeId r = 2; g.user_blocks == 0; ++r) {
        const EdgeId blocks = r * g.item_blocks;
        const EdgeId users = (EdgeId{graph.rows} + blocks - 1) / blocks;
        const EdgeId tile = graph.edges() * 5 / 4 / (blocks * g.item_blocks);
        const EdgeId needed = (items + 2 * users) * vector_bytes + 2 * edge_bytes * tile + other_bytes;
        // Where the items alone are too many, smaller user blocks help no more.
        const bool small = users <= 8 || graph.edges() <= 64 * blocks * g.item_blocks;
        if (needed <= options.on_chip_bytes || small) g.user_blocks = static_cast<VertexId>(blocks);
    }
    return g;
}

/// An edge of the tile at hand: its ends by their places in their blocks.
struct TileEdge {
    EdgeId id;
    VertexId user, item;
};

/// Takes a tile apart into steps of stars.
class StarForests {
public:
    StarForests(VertexId users, VertexId items)
        : users_(users), vertices_(users + items), degree_(vertices_), leaf_(vertices_), centre_(vertices_) {}

    /// Reorders `edges`, sorted by item, to (step, star, edge), and appends the lengths of the stars to
    /// `stars` and the number of stars of each step to `steps`. Linear in the edges, save repeated pairs.
    void decompose(std::vector<TileEdge>& edges, std::vector<VertexId>& stars, std::vector<VertexId>& steps) {
        for (const TileEdge& e : edges) ++degree_[e.user], ++degree_[item(e)];
        std::stable_sort(edges.begin(), edges.end(), [&](const TileEdge& a, const TileEdge& b) {
            const VertexId x = degree_[item(a)], y = degree_[item(b)];
            return x != y ? x > y : a.item < b.item;
        });
        placed_.clear();
        VertexId first_step = 0;
        for (std::vector<TileEdge> todo(edges); !todo.empty(); first_step += 64) {
            deferred_.clear();
            for (const TileEdge& e : todo) place(e, first_step);
            for (const TileEdge& e : todo) {
                for (const VertexId v : {e.user, item(e)}) leaf_[v] = centre_[v] = 0;
            }
            todo.swap(deferred_);
        }
        for (const TileEdge& e : edges) degree_[e.user] = degree_[item(e)] = 0;
        arrange(edges, stars, steps);
    }

private:
    struct Placed {
        TileEdge edge;
        VertexId step, centre;
    };
    VertexId item(const TileEdge& e) const { return users_ + e.item; }

    /// Puts an edge into the first of 64 steps where it extends a star or starts one. A vertex is a leaf of
    /// one star at most, and never both leaf and centre, so the stars of a step share nothing.
    void place(const TileEdge& e, VertexId first_step) {
        const VertexId u = e.user, v = item(e);
        const std::uint64_t possible = ~(leaf_[u] | leaf_[v] | (centre_[u] & centre_[v]));
        if (!possible) {
            deferred_.push_back(e);
            return;
        }
        const std::uint64_t step = possible & (~possible + 1);
        const bool user_star = centre_[u] & step || (!(centre_[v] & step) && degree_[u] > degree_[v]);
        const VertexId centre = user_star ? u : v;
        centre_[centre] |= step;
        leaf_[user_star ? v : u] |= step;
        placed_.push_back({e, first_step + static_cast<VertexId>(std::countr_zero(step)), centre});
    }

    /// Sorts what was placed: steps ascending, the longest star first in each.
    void arrange(std::vector<TileEdge>& edges, std::vector<VertexId>& stars, std::vector<VertexId>& steps) {
        VertexId last = 0;
        for (const Placed& p : placed_) last = std::max(last, p.step + 1);
        by_step_.resize(placed_.size());
        const std::vector<EdgeId> offsets = counting_sort(last);
        struct Star {
            VertexId centre, length;
        };
        std::vector<Star> found;
        auto next = edges.begin();
        for (VertexId s = 0; s < last; ++s) {
            found.clear();
            for (EdgeId i = offsets[s]; i < offsets[s + 1]; ++i) {
                VertexId& length = degree_[by_step_[i].centre];
                if (length++ == 0) found.push_back({by_step_[i].centre, 0});
            }
            for (Star& star : found) star.length = degree_[star.centre];
            std::stable_sort(found.begin(), found.end(),
                             [](const Star& a, const Star& b) { return a.length > b.length; });
            VertexId begin = 0;
            for (const Star& star : found) {
                stars.push_back(star.length);
                degree_[star.centre] = begin;  // now the place of the star's next edge
                begin += star.length;
            }
            for (EdgeId i = offsets[s]; i < offsets[s + 1]; ++i)
                next[degree_[by_step_[i].centre]++] = by_step_[i].edge;
            next += begin;
            for (const Star& star : found) degree_[star.centre] = 0;
            steps.push_back(static_cast<VertexId>(found.size()));
        }
    }

    std::vector<EdgeId> counting_sort(VertexId steps) {
        std::vector<EdgeId> offsets(std::size_t{steps} + 2, 0);
        for (const Placed& p : placed_) ++offsets[p.step + 2];
        std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
        for (const Placed& p : placed_) by_step_[offsets[p.step + 1]++] = p;
        offsets.pop_back();
        return offsets;
    }

    VertexId users_, vertices_;
    std::vector<VertexId> degree_;
    std::vector<std::uint64_t> leaf_, centre_;  // bit s: what the vertex is in step s
    std::vector<TileEdge> deferred_;
    std::vector<Placed> placed_, by_step_;
};

EdgeId largest_part(const std::vector<EdgeId>& parts) {
    EdgeId largest = 0;
    for (std::size_t b = 0; b + 1 < parts.size(); ++b) largest = std::max(largest, parts[b + 1] - parts[b]);
    return largest;
}

/// Steps and stars of the tiles of one user block, item block after item block.
struct Column {
    std::vector<VertexId> stars, steps;
    std::vector<EdgeId> tile_stars, tile_steps;  // item block -> first in the above
};

}  // namespace

Schedule build_tiled(const Graph& graph, const BuildOptions& options) {
    const Geometry g = choose_geometry(graph, options);
    const EdgeId item_blocks = g.item_blocks, user_blocks = g.user_blocks;
    const Blocks users = balanced_by_size(row_degrees(graph), g.user_blocks);
    const Blocks items = balanced_by_work(col_degrees(graph), g.item_blocks, options.hub_weight);
    std::vector<VertexId> item_place(graph.cols), item_block(graph.cols);
    for (VertexId p = 0; p < item_blocks; ++p) {
        for (EdgeId i = items.parts[p]; i < items.parts[p + 1]; ++i) {
            item_block[items.order[i]] = p;
            item_place[items.order[i]] = static_cast<VertexId>(i - items.parts[p]);
        }
    }
    const auto tile_of = [&](EdgeId u, EdgeId p) {  // tiles phase by phase
        return (u + 2 * (user_blocks - p)) % user_blocks * item_blocks + p;
    };

    Schedule schedule;
    schedule.name = "tiled";
    schedule.disjoint = Disjoint::both;
    schedule.parameters["item_blocks"] = std::to_string(item_blocks);
    schedule.parameters["user_blocks"] = std::to_string(user_blocks);
    schedule.parameters["rank"] = std::to_string(options.rank);

    const EdgeId tiles = item_blocks * user_blocks;
    std::vector<EdgeId> tile_edges(tiles + 1, 0);
    const auto rows_of = [&](EdgeId u) {
        return std::span(users.order).subspan(users.parts[u], users.parts[u + 1] - users.parts[u]);
    };
#pragma omp parallel for schedule(dynamic)
    for (EdgeId u = 0; u < user_blocks; ++u) {
        for (const VertexId row : rows_of(u)) {
            for (EdgeId e = graph.row_offsets[row]; e < graph.row_offsets[row + 1]; ++e)
                ++tile_edges[tile_of(u, item_block[graph.col[e]]) + 1];
        }
    }
    std::partial_sum(tile_edges.begin(), tile_edges.end(), tile_edges.begin());

    schedule.order.resize(graph.edges());
    std::vector<Column> columns(user_blocks);
    const auto most_users = static_cast<VertexId>(largest_part(users.parts));
    const auto most_items = static_cast<VertexId>(largest_part(items.parts));
#pragma omp parallel
    {
        StarForests forests(most_users, most_items);
        std::vector<std::vector<TileEdge>> tile(item_blocks);
#pragma omp for schedule(dynamic)
        for (EdgeId u = 0; u < user_blocks; ++u) {
            VertexId user = 0;
            for (const VertexId row : rows_of(u)) {
                for (EdgeId e = graph.row_offsets[row]; e < graph.row_offsets[row + 1]; ++e)
                    tile[item_block[graph.col[e]]].push_back({e, user, item_place[graph.col[e]]});
                ++user;
            }
            Column& column = columns[u];
            for (EdgeId p = 0; p < item_blocks; ++p) {
                column.tile_stars.push_back(column.stars.size());
                column.tile_steps.push_back(column.steps.size());
                forests.decompose(tile[p], column.stars, column.steps);
                EdgeId* out = schedule.order.data() + tile_edges[tile_of(u, p)];
                for (const TileEdge& e : tile[p]) *out++ = e.id;
                tile[p].clear();
            }
            column.tile_stars.push_back(column.stars.size());
            column.tile_steps.push_back(column.steps.size());
        }
    }

    std::vector<EdgeId>& phases = schedule.level(Level::phase);
    for (EdgeId t = 0; t <= user_blocks; ++t) phases.push_back(t * item_blocks);
    std::vector<EdgeId>& tile_steps = schedule.level(Level::tile);
    std::vector<EdgeId> tile_stars(tiles + 1, 0);
    tile_steps.assign(tiles + 1, 0);
    for (EdgeId u = 0; u < user_blocks; ++u) {
        for (EdgeId p = 0; p < item_blocks; ++p) {
            tile_steps[tile_of(u, p) + 1] = columns[u].tile_steps[p + 1] - columns[u].tile_steps[p];
            tile_stars[tile_of(u, p) + 1] = columns[u].tile_stars[p + 1] - columns[u].tile_stars[p];
        }
    }
    std::partial_sum(tile_steps.begin(), tile_steps.end(), tile_steps.begin());
    std::partial_sum(tile_stars.begin(), tile_stars.end(), tile_stars.begin());
    std::vector<EdgeId>&steps = schedule.level(Level::step), &tasks = schedule.level(Level::task);
    steps.assign(tile_steps.back() + 1, 0);
    tasks.assign(tile_stars.back() + 1, 0);
#pragma omp parallel for schedule(dynamic)
    for (EdgeId u = 0; u < user_blocks; ++u) {
        for (EdgeId p = 0; p < item_blocks; ++p) {
            const Column& column = columns[u];
            const EdgeId tile = tile_of(u, p);
            EdgeId star = tile_stars[tile], edge = tile_edges[tile], step = tile_steps[tile];
            for (EdgeId i = column.tile_stars[p]; i < column.tile_stars[p + 1]; ++i)
                tasks[star++] = edge, edge += column.stars[i];
            star = tile_stars[tile];
            for (EdgeId i = column.tile_steps[p]; i < column.tile_steps[p + 1]; ++i)
                steps[step++] = star, star += column.steps[i];
        }
    }
    steps.back() = tile_stars.back();
    tasks.back() = graph.edges();
    schedule.row_order = users.order, schedule.row_parts = users.parts;
    schedule.col_order = items.order, schedule.col_parts = items.parts;
    return schedule;
}

}  // namespace lockstep
