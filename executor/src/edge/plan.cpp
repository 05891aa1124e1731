#include "lockstep/executor/edge/plan.hpp"

#include <omp.h>

#include <algorithm>
#include <numeric>

#include "lockstep/executor/edge/blocks.hpp"
#include "lockstep/executor/edge/phase_order.hpp"

namespace lockstep {

namespace {

bool covers(Disjoint disjoint, Endpoints written) {
    return disjoint == Disjoint::both || written == Endpoints::none || disjoint == written;
}

/// Throws ScheduleError if two concurrent workers could write the same endpoint.
void check_legal(const Strategy& strategy, const Schedule* schedule, Endpoints written) {
    if (strategy.takes_any_order() || strategy.races() || covers(schedule->disjoint, written))
        return;  // such a strategy uses locks, or is unsynchronized by intention
    throw ScheduleError("the operator writes " + std::string(to_string(written)) +
                        " endpoints, but concurrent work of schedule \"" + schedule->name +
                        "\" is disjoint on " + std::string(to_string(schedule->disjoint)) +
                        " only, and strategy " + strategy.name + " takes no locks");
}

/// Returns the order of the edges for a strategy. This is the order of the schedule, if it has one. Otherwise
/// it is the given order of the graph, or the order that follows from the schedule's vertex orders; both are
/// stored in `made`.
std::span<const EdgeId> execution_order(const Graph& graph, const Schedule* schedule, Array<EdgeId>& made) {
    if (!schedule) return made = given_order(graph);
    if (!schedule->order.empty() || schedule->row_order.empty()) return schedule->order;
    // row by row in the new order of rows, and by the new order of columns within a row
    Array<EdgeId>& order = made;
    order.reserve(graph.edges());
    std::vector<VertexId> rank(graph.cols);
    for (VertexId i = 0; i < graph.cols; ++i) rank[schedule->col_order[i]] = i;
    for (const VertexId u : schedule->row_order) {
        const auto begin = static_cast<std::ptrdiff_t>(order.size());
        for (const EdgeId e : graph.edges_of(u)) order.push_back(e);
        std::stable_sort(order.begin() + begin, order.end(),
                         [&](EdgeId a, EdgeId b) { return rank[graph.col[a]] < rank[graph.col[b]]; });
    }
    return order;
}

constexpr EdgeId edges_ahead = 24;  // distance in edges at which data are prefetched

/// Copies row, column and value of each edge to the plan; `ids` contains the IDs of its edges. The three are
/// first copied into one record per edge, because in a random order the time depends on the number of cache
/// lines.
void fetch_edges(const Graph& graph, std::span<const EdgeId> ids, EdgeList& plan) {
    struct alignas(16) Edge {
        VertexId row, col;
        float value;
    };
    Array<Edge> edges(graph.edges());
#pragma omp parallel for schedule(dynamic, 256)
    for (VertexId u = 0; u < graph.rows; ++u) {
        for (const EdgeId e : graph.edges_of(u)) edges[e] = {u, graph.col[e], graph.weight(e)};
    }
    const EdgeId size = ids.size();
#pragma omp parallel for schedule(static)
    for (EdgeId i = 0; i < size; ++i) {
        if (i + edges_ahead < size) __builtin_prefetch(&edges[ids[i + edges_ahead]]);
        const Edge& e = edges[ids[i]];
        plan.row[i] = e.row, plan.col[i] = e.col, plan.value[i] = e.value;
    }
}

/// Copies all edges to the plan, in the order of the graph.
void fetch_graph(const Graph& graph, EdgeList& plan) {
#pragma omp parallel for schedule(dynamic, 256)
    for (VertexId u = 0; u < graph.rows; ++u) {
        for (const EdgeId e : graph.edges_of(u))
            plan.row[e] = u, plan.col[e] = graph.col[e], plan.value[e] = graph.weight(e);
    }
}

/// Returns the tiles of a schedule, grouped by their blocks of rows.
std::vector<std::vector<EdgeId>> tiles_by_rows(const Graph& graph, const Schedule& schedule,
                                               const std::vector<EdgeId>& edges,
                                               std::span<const EdgeId> ids) {
    const std::vector<VertexId> block = blocks_of(schedule.row_order, schedule.row_parts, graph.rows);
    const EdgeId count = edges.size() - 1;
    std::vector<VertexId> of_tile(count);
#pragma omp parallel for schedule(static)
    for (EdgeId t = 0; t < count; ++t) {
        if (edges[t] == edges[t + 1]) continue;
        const auto& begin = graph.row_offsets;
        const auto row = std::upper_bound(begin.begin(), begin.end(), ids[edges[t]]) - begin.begin() - 1;
        of_tile[t] = block[static_cast<std::size_t>(row)];
    }
    std::vector<std::vector<EdgeId>> tiles(std::max<std::size_t>(schedule.row_parts.size(), 1));
    for (EdgeId t = 0; t < count; ++t) tiles[of_tile[t]].push_back(t);
    return tiles;
}

/// Copies the edges to the plan, one block of rows after another, because the edges of such a block fit in a
/// core's cache. Returns false, and copies nothing, if not all edges are in tiles.
bool fetch_tiles(const Graph& graph, std::span<const EdgeId> ids, const PlanParts& parts) {
    const Schedule& schedule = *parts.schedule;
    EdgeList& plan = parts.edges;
    if (!schedule.has(Level::tile) || schedule.row_parts.empty()) return false;
    const std::vector<EdgeId> edges = parts.offsets(Level::tile);
    if (edges.front() != 0 || edges.back() != ids.size()) return false;
    Array<VertexId> row = edge_rows(graph);
    const std::vector<std::vector<EdgeId>> blocks = tiles_by_rows(graph, schedule, edges, ids);
#pragma omp parallel for schedule(dynamic)
    for (const std::vector<EdgeId>& tiles : blocks) {
        for (const EdgeId t : tiles) {
            for (EdgeId i = edges[t]; i < edges[t + 1]; ++i) {
                if (i + edges_ahead < edges[t + 1]) {
                    const EdgeId next = ids[i + edges_ahead];
                    __builtin_prefetch(&row[next]), __builtin_prefetch(&graph.col[next]);
                    if (!graph.value.empty()) __builtin_prefetch(&graph.value[next]);
                }
                const EdgeId e = ids[i];
                plan.row[i] = row[e], plan.col[i] = graph.col[e], plan.value[i] = graph.weight(e);
            }
        }
    }
    return true;
}

}  // namespace

TrainingPositions::TrainingPositions(std::span<const EdgeId> order, const std::vector<bool>& held_out,
                                     Array<EdgeId>& rest) {
    const auto chunks = static_cast<EdgeId>(omp_get_max_threads());
    const EdgeId size = order.size(), words = size / 64 + 1;  // one more word, for positions at the end
    const auto begin = [&](EdgeId chunk) { return words / chunks * chunk + std::min(chunk, words % chunks); };
    words_.resize(words);
    std::vector<EdgeId> kept(chunks + 1, 0);
#pragma omp parallel for schedule(static, 1)
    for (EdgeId c = 0; c < chunks; ++c) {
        EdgeId count = 0;
        for (EdgeId w = begin(c); w < begin(c + 1); ++w) {
            std::uint64_t bits = 0;
            for (EdgeId i = 64 * w; i < std::min(size, 64 * (w + 1)); ++i)
                bits |= std::uint64_t{!held_out[order[i]]} << i % 64;
            words_[w].kept = bits, count += static_cast<EdgeId>(std::popcount(bits));
        }
        kept[c + 1] = count;
    }
    std::partial_sum(kept.begin(), kept.end(), kept.begin());
    rest.resize(kept.back());
#pragma omp parallel for schedule(static, 1)
    for (EdgeId c = 0; c < chunks; ++c) {
        EdgeId next = kept[c];
        for (EdgeId w = begin(c); w < begin(c + 1); ++w) {
            words_[w].before = next;
            for (std::uint64_t bits = words_[w].kept; bits; bits &= bits - 1)
                rest[next++] = order[64 * w + static_cast<EdgeId>(std::countr_zero(bits))];
        }
    }
}

EdgeId EdgePlan::phases() const {
    return std::visit(
        [](const auto& w) {
            if constexpr (requires { w.phases(); })
                return w.phases();
            else
                return EdgeId{0};
        },
        walk);
}

EdgeId EdgePlan::bytes() const {
    return bytes_of(row, col, value, id) + std::visit([](const auto& w) { return w.bytes(); }, walk);
}

EdgePlan make_plan(const Graph& graph, const Strategy& strategy, const Schedule* schedule, Endpoints written,
                   const std::vector<bool>& held_out, PhaseOrder phases, Ends ends, bool with_ids) {
    if (visits_neighbours(strategy.walk)) {
        throw ScheduleError(
            std::string("strategy ") + strategy.name +
                " works on arcs: it cannot run an operator that updates both endpoints of an edge",
            Failure::usage);
    }
    require_ends(graph, ends);
    require_form(graph, strategy, schedule);
    check_legal(strategy, schedule, written);

    EdgePlan plan;
    plan.rows = graph.rows;
    plan.cols = graph.cols;
    plan.ends = graph.ends;
    Array<EdgeId> made, rest;
    std::span<const EdgeId> ids = execution_order(graph, schedule, made);
    if (ids.size() != graph.edges()) {
        throw ScheduleError("the schedule has " + std::to_string(ids.size()) + " edges, but the graph has " +
                            std::to_string(graph.edges()) + ": it was made for another graph");
    }
    TrainingPositions kept;
    if (!held_out.empty()) kept = TrainingPositions(ids, held_out, rest), ids = rest;
    Schedule mixed;
    if (mixes_phases(strategy, schedule, phases)) {
        mixed = mix_phases(*schedule, kept, ids);
        // The levels of the mixed schedule already exclude the held-out edges.
        schedule = &mixed, kept = TrainingPositions(), ids = mixed.order;
    }
    Array<EdgeId> sorted;
    WalksOf<EdgeWalk>::call(walk_of(strategy, graph.ends), [&]<class Plan>(std::type_identity<Plan>) {
        if constexpr (requires { Plan::sort_edges(graph, schedule, ids); })
            ids = sorted = Plan::sort_edges(graph, schedule, ids);
    });
    const EdgeId size = ids.size();
    plan.row.resize(size), plan.col.resize(size), plan.value.resize(size);
    PlanParts parts{plan, schedule, kept};
    if (!schedule && sorted.empty() && graph.input_order.empty() && kept.all())
        fetch_graph(graph, plan);
    else if (!schedule || !fetch_tiles(graph, ids, parts))
        fetch_edges(graph, ids, plan);
    if (with_ids) plan.id.assign(ids.begin(), ids.end());
    made = Array<EdgeId>(), sorted = Array<EdgeId>(), rest = Array<EdgeId>(), mixed.order = Array<EdgeId>();
    WalksOf<EdgeWalk>::call(walk_of(strategy, graph.ends),
                            [&]<class Plan>(std::type_identity<Plan>) { plan.walk = Plan::make(parts); });
    return plan;
}

std::optional<std::string> why_not(const EdgePlan& plan, const OperatorSize& size,
                                   const gpu::Properties& device) {
    if (plan.edges() == 0) return {};
    return std::visit(
        [&](const auto& walk) -> std::optional<std::string> {
            if constexpr (requires { walk.why_not(plan, size, device); })
                return walk.why_not(plan, size, device);
            else
                return {};
        },
        plan.walk);
}

}  // namespace lockstep
