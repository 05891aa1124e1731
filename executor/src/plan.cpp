#include "lockstep/executor/plan.hpp"

#include <omp.h>

#include <algorithm>
#include <numeric>
#include <span>

namespace lockstep {

namespace {

bool covers(Disjoint disjoint, Endpoints written) {
    return disjoint == Disjoint::both || written == Endpoints::none || disjoint == written;
}

/// Refuses a plan in which two concurrent workers could write one endpoint.
void check_legal(const Strategy& strategy, const Schedule* schedule, Endpoints written) {
    if (strategy.takes_any_order() || strategy.traversal == Traversal::racing_tiles ||
        covers(schedule->disjoint, written))
        return;  // locks, or racing on purpose
    throw ScheduleError("the operator writes " + std::string(to_string(written)) +
                        " endpoints, but concurrent work of schedule \"" + schedule->name +
                        "\" is disjoint on " + std::string(to_string(schedule->disjoint)) +
                        " only, and strategy " + strategy.name + " takes no locks");
}

/// The edge order that a strategy walks: the schedule's, or the given one; vertex orders sort it.
Array<EdgeId> execution_order(const Graph& graph, const Schedule* schedule) {
    if (!schedule) return given_order(graph);
    if (!schedule->order.empty() || schedule->row_order.empty()) {
        const auto size = static_cast<std::int64_t>(schedule->order.size());
        Array<EdgeId> copy(schedule->order.size());
#pragma omp parallel for schedule(static)
        for (std::int64_t i = 0; i < size; ++i) copy[i] = schedule->order[i];
        return copy;
    }
    Array<EdgeId> order;  // row-major in the new vertex order, columns by their new rank
    order.reserve(graph.edges());
    std::vector<VertexId> rank(graph.cols);
    for (VertexId i = 0; i < graph.cols; ++i) rank[schedule->col_order[i]] = i;
    for (const VertexId u : schedule->row_order) {
        const auto begin = static_cast<std::ptrdiff_t>(order.size());
        for (EdgeId e = graph.row_offsets[u]; e < graph.row_offsets[u + 1]; ++e) order.push_back(e);
        std::stable_sort(order.begin() + begin, order.end(),
                         [&](EdgeId a, EdgeId b) { return rank[graph.col[a]] < rank[graph.col[b]]; });
    }
    return order;
}

/// Where the edges of an order are once the held-out ones are gone.
class Kept {
public:
    /// Takes the held-out edges (none: empty) out of `order`.
    Kept(Array<EdgeId>& order, const std::vector<bool>& held_out) {
        if (held_out.empty()) return;
        const auto chunks = static_cast<EdgeId>(omp_get_max_threads());
        const EdgeId size = order.size();
        const auto begin = [&](EdgeId chunk) {
            return size / chunks * chunk + std::min(chunk, size % chunks);
        };
        before_.resize(size + 1);
        std::vector<EdgeId> kept(chunks + 1, 0);
#pragma omp parallel for schedule(static, 1)
        for (EdgeId c = 0; c < chunks; ++c) {
            for (EdgeId i = begin(c); i < begin(c + 1); ++i) kept[c + 1] += !held_out[order[i]];
        }
        std::partial_sum(kept.begin(), kept.end(), kept.begin());
        Array<EdgeId> rest(kept.back());
#pragma omp parallel for schedule(static, 1)
        for (EdgeId c = 0; c < chunks; ++c) {
            EdgeId next = kept[c];
            for (EdgeId i = begin(c); i < begin(c + 1); ++i) {
                before_[i] = next;
                if (!held_out[order[i]]) rest[next++] = order[i];
            }
        }
        before_[size] = kept.back();
        order = std::move(rest);
    }

    EdgeId before(EdgeId position) const { return before_.empty() ? position : before_[position]; }
    /// Offsets of a level in edges.
    std::vector<EdgeId> offsets(const Schedule& schedule, Level level) const {
        std::vector<EdgeId> offsets = edge_offsets(schedule, level);
        for (EdgeId& offset : offsets) offset = before(offset);
        return offsets;
    }

private:
    Array<EdgeId> before_;  // position -> kept edges before it; empty: all are kept
};

/// Sorts the plan's edges by item, keeping their order inside an item (the CSC of the online NL).
void group_by_item(Plan& plan, const std::vector<VertexId>& item_order) {
    plan.residents = item_order;
    if (plan.residents.empty()) {
        plan.residents.resize(plan.cols);
        std::iota(plan.residents.begin(), plan.residents.end(), VertexId{0});
    }
    // Items of many edges first, or a long chain would begin last; those of similar degree keep their order.
    constexpr EdgeId similar = 64;
    std::vector<EdgeId> degree(plan.cols, 0);
    for (const VertexId v : plan.col) ++degree[v];
    std::stable_sort(plan.residents.begin(), plan.residents.end(),
                     [&](VertexId a, VertexId b) { return degree[a] / similar > degree[b] / similar; });
    std::vector<VertexId> rank(plan.cols);
    for (VertexId i = 0; i < plan.cols; ++i) rank[plan.residents[i]] = i;
    plan.item_edges.assign(std::size_t{plan.cols} + 1, 0);
    for (const VertexId v : plan.col) ++plan.item_edges[rank[v] + 1];
    std::partial_sum(plan.item_edges.begin(), plan.item_edges.end(), plan.item_edges.begin());
    std::vector<EdgeId> next(plan.item_edges.begin(), plan.item_edges.end() - 1), target(plan.edges());
    for (EdgeId e = 0; e < plan.edges(); ++e) target[e] = next[rank[plan.col[e]]]++;
    const auto permute = [&](auto& values) {
        auto moved = values;
        for (EdgeId e = 0; e < target.size(); ++e) moved[target[e]] = values[e];
        values.swap(moved);
    };
    permute(plan.row), permute(plan.col), permute(plan.value), permute(plan.id);
}

/// How edges meet at an end, of which these are all.
struct Meetings {
    double chance;   ///< that two random edges share it: the sum of (degree / edges)^2
    double largest;  ///< degree
};
Meetings meetings(std::span<const VertexId> ends, VertexId vertices) {
    std::vector<double> degree(vertices, 0);
    for (const VertexId v : ends) ++degree[v];
    Meetings found{0, 0};
    for (const double d : degree) found.chance += d * d, found.largest = std::max(found.largest, d);
    found.chance /= static_cast<double>(ends.size()) * static_cast<double>(ends.size());
    return found;
}

EdgeId workers_that_meet(double others, double chance) {
    constexpr double fewest = 64;
    return static_cast<EdgeId>(std::max(fewest, others / chance));
}

/// Edges in flight at which a racing edge meets `wanted_meetings` others at one of its endpoints, in
/// expectation. More in flight lose so many updates that the error grows (docs/performance.md, racing).
EdgeId racing_workers(const Plan& plan) {
    constexpr double wanted_meetings = 0.4;
    if (plan.edges() == 0) return 1;
    const bool items_on_chip = plan.traversal == Traversal::racing_tiles;
    const double meeting = std::max(meetings(plan.row, plan.rows).chance,
                                    items_on_chip ? 0 : meetings(plan.col, plan.cols).chance);
    return workers_that_meet(wanted_meetings, meeting);
}

/// How EL begins on a GPU: with as many edges in flight as meet `wanted_meetings` others at one of their
/// ends, in expectation, if they are random ones; with more they wait for each other, with fewer a hub waits
/// for them. The order is cut into a block a worker, instead of drawn bit by bit, where neighbours share an
/// end oftener than `clustered` times what random ones do, so that the edges in flight are far from each
/// other; and where even the busiest end has less than one edge in flight among `most_workers`, so that no
/// worker is held up and drawing would even out nothing.
void plan_edge_locked(Plan& plan) {
    constexpr double wanted_meetings = 1.5, clustered = 2, most_workers = 1 << 16;
    const bool rest = plan.traversal == Traversal::node_locked;  // what NL puts off, in any order
    const EdgeId edges = rest ? plan.edges() : plan.locked;
    if (edges == 0) return;
    const Meetings rows = meetings({plan.row.data(), edges}, plan.rows),
                   cols = meetings({plan.col.data(), edges}, plan.cols);
    const double chance = rows.chance + cols.chance;
    EdgeId neighbours = 0;
#pragma omp parallel for reduction(+ : neighbours)
    for (EdgeId e = 1; e < (rest ? 1 : edges); ++e)
        neighbours += plan.row[e] == plan.row[e - 1] || plan.col[e] == plan.col[e - 1];
    plan.locked_workers = workers_that_meet(wanted_meetings, chance);
    plan.locked_in_blocks =
        static_cast<double>(neighbours) > clustered * chance * static_cast<double>(edges) + 100 ||
        (!rest && std::max(rows.largest, cols.largest) * most_workers < static_cast<double>(edges));
}

std::vector<VertexId> blocks_of(const std::vector<VertexId>& order, const std::vector<EdgeId>& parts) {
    std::vector<VertexId> block(order.size());
    for (std::size_t b = 0; b + 1 < parts.size(); ++b) {
        for (EdgeId i = parts[b]; i < parts[b + 1]; ++i) block[order[i]] = static_cast<VertexId>(b);
    }
    return block;
}

/// Every tile's first edge is of the blocks that the grid lets meet there. O(tiles + vertices)
void check_tiles(const Plan& plan) {
    const std::vector<VertexId> user_block = blocks_of(plan.row_order, plan.row_parts),
                                item_block = blocks_of(plan.col_order, plan.col_parts);
    const EdgeId blocks = plan.grid.all_item_blocks();
    for (EdgeId tile = 0; tile < plan.grid.tiles(); ++tile) {
        const EdgeId first = plan.task_offsets[plan.step_tasks[plan.tile_steps[tile]]],
                     end = plan.task_offsets[plan.step_tasks[plan.tile_steps[tile + 1]]];
        if (first == end) continue;
        const EdgeId p = item_block[plan.col[first]], u = user_block[plan.row[first]];
        if (p != tile % blocks || plan.grid.phase(p, u) != tile / blocks) {
            throw ScheduleError("tile " + std::to_string(tile) +
                                " of the tiled schedule holds edges of other blocks than this version puts "
                                "there; preprocess again");
        }
    }
}

EdgeId bytes_of(const auto& v) { return v.size() * sizeof(v[0]); }

}  // namespace

EdgeId Plan::bytes() const {
    return bytes_of(row) + bytes_of(col) + bytes_of(value) + bytes_of(id) + bytes_of(phase_offsets) +
           bytes_of(task_offsets) + bytes_of(phase_tasks) + bytes_of(block_phases) + bytes_of(residents) +
           bytes_of(resident_offsets) + bytes_of(item_edges) + bytes_of(phase_tiles) + bytes_of(tile_steps) +
           bytes_of(step_tasks) + bytes_of(row_order) + bytes_of(col_order) + bytes_of(row_parts) +
           bytes_of(col_parts) + bytes_of(tile_edges);
}

Plan make_plan(const Graph& graph, const Strategy& strategy, const Schedule* schedule, Endpoints written,
               const std::vector<bool>& held_out) {
    if (visits_neighbours(strategy.traversal)) {
        throw ScheduleError(
            std::string("strategy ") + strategy.name +
                " passes values along arcs: it runs no operator that updates both ends of an edge",
            Failure::usage);
    }
    require_form(graph, strategy, schedule);
    check_legal(strategy, schedule, written);

    Plan plan;
    plan.traversal = strategy.traversal;
    plan.edge_locked_rest = strategy.edge_locked_rest;
    plan.rows = graph.rows;
    plan.cols = graph.cols;
    plan.id = execution_order(graph, schedule);
    if (plan.id.size() != graph.edges()) {
        throw ScheduleError("the schedule has " + std::to_string(plan.id.size()) + " edges, the graph " +
                            std::to_string(graph.edges()) + ": it was made for another graph");
    }
    const Kept kept(plan.id, held_out);
    const Array<VertexId> edge_row = edge_rows(graph);
    plan.row.resize(plan.id.size()), plan.col.resize(plan.id.size()), plan.value.resize(plan.id.size());
    const auto edges = static_cast<std::int64_t>(plan.id.size());
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < edges; ++i) {
        const EdgeId e = plan.id[i];
        plan.row[i] = edge_row[e];
        plan.col[i] = graph.col[e];
        plan.value[i] = graph.weight(e);
    }

    switch (strategy.traversal) {
        case Traversal::edge_locked:
            plan.locked = plan.edges();
            break;
        case Traversal::racing:
            plan.racing_workers = racing_workers(plan);
            break;
        case Traversal::node_locked:
            group_by_item(plan, schedule ? schedule->col_order : std::vector<VertexId>{});
            break;
        case Traversal::tasks:
            plan.task_offsets = kept.offsets(*schedule, Level::task);
            plan.phase_tasks = schedule->level(Level::phase);
            plan.phase_offsets = kept.offsets(*schedule, Level::phase);
            break;
        case Traversal::racing_tiles:
            plan.racing_workers = racing_workers(plan);
            plan.tile_edges = kept.offsets(*schedule, Level::task);
            plan.col_order = schedule->col_order, plan.col_parts = schedule->col_parts;
            break;
        case Traversal::tiled:
            plan.task_offsets = kept.offsets(*schedule, Level::task);
            plan.phase_offsets = kept.offsets(*schedule, Level::phase);
            plan.phase_tiles = schedule->level(Level::phase);
            plan.tile_steps = schedule->level(Level::tile);
            plan.step_tasks = schedule->level(Level::step);
            plan.row_order = schedule->row_order, plan.row_parts = schedule->row_parts;
            plan.col_order = schedule->col_order, plan.col_parts = schedule->col_parts;
            plan.grid = tile_grid(*schedule);
            check_tiles(plan);
            break;
        case Traversal::local:
            plan.phase_offsets = kept.offsets(*schedule, Level::phase);
            plan.phase_tiles = schedule->level(Level::phase);
            plan.tile_steps = schedule->level(Level::tile);
            plan.step_tasks = kept.offsets(*schedule, Level::step);
            break;
        case Traversal::resident:
            plan.block_phases = schedule->level(Level::block);
            plan.residents = schedule->residents;
            plan.resident_offsets = schedule->resident_offsets;
            [[fallthrough]];
        case Traversal::phases:
            plan.phase_offsets = kept.offsets(*schedule, Level::phase);
            break;
        default:  // refused above
            break;
    }
    if (strategy.edge_locked_first) plan.locked = kept.before(schedule->locked);
    if (plan.locked || plan.edge_locked_rest) plan_edge_locked(plan);
    return plan;
}

ResidentLayout resident_layout(const Plan& plan) {
    std::vector<EdgeId> slot(plan.cols, 0);
    for (EdgeId i = 0; i < plan.residents.size(); ++i) slot[plan.residents[i]] = i;
    ResidentLayout layout;
    layout.slot_edges.assign(plan.residents.size() + 1, 0);
    for (EdgeId e = plan.locked; e < plan.edges(); ++e) ++layout.slot_edges[slot[plan.col[e]] + 1];
    std::partial_sum(layout.slot_edges.begin(), layout.slot_edges.end(), layout.slot_edges.begin());
    const EdgeId entries = plan.edges() - plan.locked;
    layout.edge.resize(entries), layout.phase.resize(entries), layout.row.resize(entries),
        layout.value.resize(entries);
    std::vector<EdgeId> next(layout.slot_edges.begin(), layout.slot_edges.end() - 1);
    for (EdgeId p = 0; p < plan.phases(); ++p) {
        for (EdgeId e = plan.phase_offsets[p]; e < plan.phase_offsets[p + 1]; ++e) {
            const EdgeId at = next[slot[plan.col[e]]]++;
            layout.edge[at] = e;
            layout.phase[at] = checked_cast<std::uint32_t>(p, "phases");
            layout.row[at] = plan.row[e];
            layout.value[at] = plan.value[e];
        }
    }
    return layout;
}

std::vector<PhaseRun> phase_runs(const Plan& plan, EdgeId worth_sharing, EdgeId most_edges,
                                 EdgeId most_phases) {
    std::vector<PhaseRun> runs;
    EdgeId block = 0;
    for (EdgeId p = 0; p < plan.phases(); ++p) {
        bool starts_block = false;
        while (block < plan.block_phases.size() && plan.block_phases[block] <= p)
            starts_block |= plan.block_phases[block++] == p;
        const EdgeId begin = plan.phase_offsets[p], end = plan.phase_offsets[p + 1], size = end - begin;
        const bool shared = size >= worth_sharing;
        if (!shared && !starts_block && !runs.empty() && !runs.back().shared &&
            end - runs.back().begin <= most_edges && p - runs.back().first < most_phases) {
            runs.back().last = p + 1, runs.back().end = end;
            runs.back().largest = std::max(runs.back().largest, size);
        } else {
            runs.push_back({p, p + 1, begin, end, size, shared});
        }
    }
    return runs;
}

}  // namespace lockstep
