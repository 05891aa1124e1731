// The tiled schedule: the items are divided into P blocks, the users into R blocks, and each pair of an item
// block and a user block is a tile with the edges between them. With several groups, each combination of an
// item group and a user group has P x R tiles (tile_grid.hpp).
//
// The vectors of item block p stay in shared memory for all phases of a super-stratum. In phase t, the block
// is combined with user block (2p + t) or (2p - t) mod R, so the tiles of a phase share no vertex. The user
// block of phase t was last used two phases before, by a neighbouring item block. Its vectors can therefore
// be copied to shared memory during phase t - 1, and a flag of the neighbouring thread block takes the place
// of a device-wide barrier. Within a tile, each step is a set of stars that share no vertex
// (star_forests.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "lockstep/schedules/parallel_errors.hpp"
#include "one_set.hpp"
#include "star_forests.hpp"
#include "sub_graph.hpp"
#include "tile_blocks.hpp"

namespace lockstep {

namespace {

/// The item block of a column, and the position of the column in this block.
struct ItemPlace {
    VertexId block, place;
};

std::vector<ItemPlace> places_of(const Blocks& items, VertexId cols) {
    std::vector<ItemPlace> places(cols);
#pragma omp parallel for schedule(static)
    for (EdgeId b = 0; b < items.count(); ++b) {
        for (EdgeId i = items.parts[b]; i < items.parts[b + 1]; ++i)
            places[items.order[i]] = {static_cast<VertexId>(b), static_cast<VertexId>(i - items.parts[b])};
    }
    return places;
}

/// The tiles of one user block, ordered by item block. stars[p] and steps[p] are the positions in `forests`
/// at which the tile of item block p begins.
struct Column {
    Forests forests;
    std::vector<EdgeId> stars, steps;

    void reserve(EdgeId tiles) { stars.reserve(tiles + 1), steps.reserve(tiles + 1); }
    void begin_tile() {
        stars.push_back(forests.star_edges.size());
        steps.push_back(forests.step_stars.size());
    }
};

/// Builds the order and the levels of a tiled schedule for a given grid.
class TiledBuilder {
public:
    TiledBuilder(const Graph& graph, TileGeometry geometry)
        : graph_(graph),
          grid_(geometry.grid),
          users_(balanced_by_size(Ranking(row_degrees(graph)),
                                  checked_cast<VertexId>(grid_.all_user_blocks(), "user blocks"))),
          items_(std::move(geometry.items)),
          place_(places_of(items_, graph.cols)),
          columns_(users_.count()) {}

    void build(Schedule& schedule) {
        const std::vector<EdgeId> tile_edges = count_edges();
        schedule.order.resize(graph_.edges());
        ParallelErrors errors;
#pragma omp parallel
        {
            std::optional<StarForests> forests;
            errors.run([&] {
                forests.emplace(static_cast<VertexId>(users_.largest()),
                                static_cast<VertexId>(items_.largest()));
            });
            std::vector<TileEdge> edges;
            std::vector<EdgeId> next;
#pragma omp for schedule(dynamic)
            for (EdgeId u = 0; u < users_.count(); ++u) {
                errors.run([&] {
                    gather(u, tile_edges, edges, next);
                    Column& column = columns_[u];
                    column.reserve(items_.count());
                    EdgeId begin = 0;
                    for (EdgeId p = 0; p < items_.count(); begin = next[p++]) {
                        column.begin_tile();
                        forests->decompose(std::span(edges).subspan(begin, next[p] - begin),
                                           schedule.order.data() + tile_edges[grid_.tile(p, u)],
                                           column.forests);
                    }
                    column.begin_tile();
                });
            }
        }
        errors.rethrow();
        set_levels(schedule, tile_edges);
        schedule.row_order = std::move(users_.order), schedule.row_parts = std::move(users_.parts);
        schedule.col_order = std::move(items_.order), schedule.col_parts = std::move(items_.parts);
    }

private:
    template <class Visit>
    void for_each_edge(EdgeId u, Visit visit) const {
        for (EdgeId i = users_.parts[u]; i < users_.parts[u + 1]; ++i) {
            const VertexId row = users_.order[i], user = static_cast<VertexId>(i - users_.parts[u]);
            for (const EdgeId e : graph_.edges_of(row)) visit(user, e, place_[graph_.col[e]]);
        }
    }

    /// Returns the position of the first edge of every tile in the order of the schedule, followed by the
    /// number of edges.
    std::vector<EdgeId> count_edges() const {
        std::vector<EdgeId> offsets(grid_.tiles() + 1, 0);
        ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
        for (EdgeId u = 0; u < users_.count(); ++u) {
            errors.run([&] {
                std::vector<EdgeId> count(items_.count(), 0);
                for_each_edge(u, [&](VertexId, EdgeId, ItemPlace item) { ++count[item.block]; });
                for (EdgeId p = 0; p < items_.count(); ++p) offsets[grid_.tile(p, u) + 1] = count[p];
            });
        }
        errors.rethrow();
        std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
        return offsets;
    }

    /// Collects the edges of user block u, grouped by item block. ends[p] receives the end of the edges of
    /// item block p.
    void gather(EdgeId u, const std::vector<EdgeId>& tile_edges, std::vector<TileEdge>& edges,
                std::vector<EdgeId>& ends) const {
        ends.resize(items_.count());
        EdgeId size = 0;
        for (EdgeId p = 0; p < items_.count(); ++p) {
            ends[p] = size;
            size += tile_edges[grid_.tile(p, u) + 1] - tile_edges[grid_.tile(p, u)];
        }
        edges.resize(size);
        for_each_edge(u, [&](VertexId user, EdgeId e, ItemPlace item) {
            edges[ends[item.block]++] = {e, user, item.place};
        });
    }

    void set_levels(Schedule& schedule, const std::vector<EdgeId>& tile_edges) const {
        std::vector<EdgeId>& phases = schedule.level(Level::phase);
        for (EdgeId t = 0; t <= grid_.phases(); ++t) phases.push_back(t * grid_.side_by_side());
        for (EdgeId s = 0; grid_.strata() > 1 && s <= grid_.strata(); ++s)
            schedule.level(Level::block).push_back(s * grid_.user_blocks);
        std::vector<EdgeId>& tile_steps = schedule.level(Level::tile);
        std::vector<EdgeId> tile_stars(grid_.tiles() + 1, 0);
        tile_steps.assign(grid_.tiles() + 1, 0);
        for_each_tile([&](const Column& column, EdgeId tile, EdgeId p) {
            tile_steps[tile + 1] = column.steps[p + 1] - column.steps[p];
            tile_stars[tile + 1] = column.stars[p + 1] - column.stars[p];
        });
        std::partial_sum(tile_steps.begin(), tile_steps.end(), tile_steps.begin());
        std::partial_sum(tile_stars.begin(), tile_stars.end(), tile_stars.begin());
        std::vector<EdgeId>&steps = schedule.level(Level::step), &tasks = schedule.level(Level::task);
        steps.resize(tile_steps.back() + 1);
        tasks.resize(tile_stars.back() + 1);
        for_each_tile([&](const Column& column, EdgeId tile, EdgeId p) {
            EdgeId star = tile_stars[tile], edge = tile_edges[tile], step = tile_steps[tile];
            for (EdgeId i = column.steps[p]; i < column.steps[p + 1]; ++i)
                steps[step++] = star, star += column.forests.step_stars[i];
            star = tile_stars[tile];
            for (EdgeId i = column.stars[p]; i < column.stars[p + 1]; ++i)
                tasks[star++] = edge, edge += column.forests.star_edges[i];
        });
        steps.back() = tile_stars.back();
        tasks.back() = graph_.edges();
    }

    template <class Visit>
    void for_each_tile(Visit visit) const {
#pragma omp parallel for schedule(dynamic)
        for (EdgeId u = 0; u < users_.count(); ++u) {
            for (EdgeId p = 0; p < items_.count(); ++p) visit(columns_[u], grid_.tile(p, u), p);
        }
    }

    const Graph& graph_;
    TileGrid grid_;
    Blocks users_, items_;
    std::vector<ItemPlace> place_;
    std::vector<Column> columns_;  // user block -> its tiles
};

}  // namespace

namespace {

constexpr std::array<std::string_view, 3> resident_names{"items", "users", "auto"};

/// Builds the tiled schedule of a graph whose columns stay in shared memory. The columns are the items, or
/// the users if the graph is transposed (`users_reside`).
Schedule build_tiles(const Graph& graph, const TileOptions& options, TileGeometry geometry,
                     bool users_reside) {
    const TileGrid grid = geometry.grid;
    Schedule schedule;
    schedule.name = "tiled";
    schedule.disjoint = Disjoint::both;
    schedule.parameters["item_blocks"] = std::to_string(grid.item_blocks);
    schedule.parameters["user_blocks"] = std::to_string(grid.user_blocks);
    if (grid.groups > 1) schedule.parameters["groups"] = std::to_string(grid.groups);
    if (grid.laps > 1) schedule.parameters["laps"] = std::to_string(grid.laps);
    schedule.parameters["rank"] = std::to_string(options.rank);
    schedule.parameters["storage"] = options.half_precision ? "fp16" : "fp32";
    if (options.item_blocks == TileOptions::by_cost) {
        schedule.parameters["choice"] = fmt::format(
            "{} blocks of {} stay in shared memory, {} of {} are streamed", grid.all_item_blocks(),
            users_reside ? "users" : "items", grid.all_user_blocks(), users_reside ? "items" : "users");
        schedule.parameters["predicted_ms"] = fmt::format("{:.3f}", 1e3 * geometry.cost.seconds());
        schedule.parameters["predicted_parts"] = in_words(geometry.cost);
        if (!options.costs.device.empty()) schedule.parameters["predicted_for"] = options.costs.device;
    }
    TiledBuilder(graph, std::move(geometry)).build(schedule);
    return schedule;
}

/// Builds the tiled schedule in which the users (rows) stay in shared memory: transposes the graph, so that
/// its columns are the users, and transposes the schedule.
Schedule build_resident_users(const Graph& graph, const TileOptions& options, TileGeometry geometry) {
    const SubGraph turned =
        make_sub_graph(graph, edge_rows(graph), identity_order(graph.edges()), true, false);
    Schedule schedule = build_tiles(turned.graph, options, std::move(geometry), true);
    schedule.parameters["resident"] = to_string(Resident::users);
#pragma omp parallel for schedule(static)
    for (EdgeId i = 0; i < graph.edges(); ++i) schedule.order[i] = turned.edge[schedule.order[i]];
    schedule.row_order.swap(schedule.col_order);
    schedule.row_parts.swap(schedule.col_parts);
    return schedule;
}

}  // namespace

std::string_view to_string(Resident resident) { return resident_names[static_cast<std::size_t>(resident)]; }

Schedule build_tiled(const Graph& graph, const TileOptions& options) {
    if (graph.ends == Ends::vertices) return one_set::build_tiled(graph, options);
    // If the caller requests a grid, its numbers refer to items as the resident side, so users are not tried.
    const bool open = options.item_blocks == TileOptions::by_cost && !options.user_blocks &&
                      !options.groups && options.gpus <= 1;
    std::optional<TileGeometry> items, users;
    if (options.resident != Resident::users) items = choose_geometry(tile_sides(graph), options);
    if (options.resident == Resident::users || (options.resident == Resident::automatic && open))
        users = choose_geometry(tile_sides(graph, true), options);
    if (!items || (users && users->cost.seconds() < clearly_faster * items->cost.seconds()))
        return build_resident_users(graph, options, *std::move(users));
    return build_tiles(graph, options, *std::move(items), false);
}

}  // namespace lockstep
