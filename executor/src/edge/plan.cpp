#include "lockstep/executor/edge/plan.hpp"

#include <omp.h>

#include <algorithm>
#include <numeric>

#include "lockstep/executor/edge/phase_order.hpp"

namespace lockstep {

namespace {

bool covers(Disjoint disjoint, Endpoints written) {
    return disjoint == Disjoint::both || written == Endpoints::none || disjoint == written;
}

/// Refuses a plan in which two concurrent workers could write one endpoint.
void check_legal(const Strategy& strategy, const Schedule* schedule, Endpoints written) {
    if (strategy.takes_any_order() || strategy.races() || covers(schedule->disjoint, written))
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

/// Row, column and value of each edge of the plan, by its id. They are laid side by side first: in an order
/// that jumps about it is the cache lines that cost, and an edge is one of them then, not three.
void fetch_edges(const Graph& graph, EdgeList& plan) {
    constexpr EdgeId ahead = 24;
    struct alignas(16) Edge {
        VertexId row, col;
        float value;
    };
    Array<Edge> edges(graph.edges());
#pragma omp parallel for schedule(dynamic, 4096)
    for (VertexId u = 0; u < graph.rows; ++u) {
        for (EdgeId e = graph.row_offsets[u]; e < graph.row_offsets[u + 1]; ++e)
            edges[e] = {u, graph.col[e], graph.weight(e)};
    }
    const EdgeId size = plan.id.size();
    plan.row.resize(size), plan.col.resize(size), plan.value.resize(size);
#pragma omp parallel for schedule(static)
    for (EdgeId i = 0; i < size; ++i) {
        if (i + ahead < size) __builtin_prefetch(&edges[plan.id[i + ahead]]);
        const Edge& e = edges[plan.id[i]];
        plan.row[i] = e.row, plan.col[i] = e.col, plan.value[i] = e.value;
    }
}

}  // namespace

Kept::Kept(Array<EdgeId>& order, const std::vector<bool>& held_out) {
    if (held_out.empty()) return;
    const auto chunks = static_cast<EdgeId>(omp_get_max_threads());
    const EdgeId size = order.size();
    const auto begin = [&](EdgeId chunk) { return size / chunks * chunk + std::min(chunk, size % chunks); };
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
                   const std::vector<bool>& held_out, PhaseOrder phases) {
    if (visits_neighbours(strategy.walk)) {
        throw ScheduleError(
            std::string("strategy ") + strategy.name +
                " passes values along arcs: it runs no operator that updates both ends of an edge",
            Failure::usage);
    }
    require_form(graph, strategy, schedule);
    check_legal(strategy, schedule, written);

    EdgePlan plan;
    plan.rows = graph.rows;
    plan.cols = graph.cols;
    plan.id = execution_order(graph, schedule);
    if (plan.id.size() != graph.edges()) {
        throw ScheduleError("the schedule has " + std::to_string(plan.id.size()) + " edges, the graph " +
                            std::to_string(graph.edges()) + ": it was made for another graph");
    }
    Kept kept(plan.id, held_out);
    Schedule mixed;
    if (mixes_phases(strategy, schedule, phases)) {
        mixed = mix_phases(*schedule, kept, plan.id);
        schedule = &mixed, kept = Kept();  // its levels are in kept edges
    }
    fetch_edges(graph, plan);

    PlanParts parts{plan, schedule, kept};
    WalksOf<EdgeWalk>::call(strategy.walk,
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
