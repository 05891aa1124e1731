#include "lockstep/executor/edge/off_chip.hpp"

#include <algorithm>

namespace lockstep {

namespace {

/// visit(step) for the first step of each of the tiles, then end(), for the second of each, …
template <class Visit, class End>
void step_by_step(const std::vector<EdgeId>& tile_steps, EdgeId first_tile, EdgeId last_tile, Visit visit,
                  End end) {
    bool more = true;
    for (EdgeId s = 0; more; ++s) {
        more = false;
        for (EdgeId tile = first_tile; tile < last_tile; ++tile) {
            const EdgeId step = tile_steps[tile] + s;
            if (step >= tile_steps[tile + 1]) continue;
            visit(step);
            more = true;
        }
        if (more) end();
    }
}

template <class T>
void reorder(Array<T>& values, const Array<EdgeId>& order) {
    Array<T> ordered(values.size());
#pragma omp parallel for schedule(static)
    for (EdgeId i = 0; i < order.size(); ++i) ordered[i] = values[order[i]];
    values = std::move(ordered);
}

/// The edges that are appended, in their new order.
class Order {
public:
    explicit Order(EdgeId edges) { order_.reserve(edges); }
    void append(EdgeId begin, EdgeId end) {
        for (EdgeId e = begin; e < end; ++e) order_.push_back(e);
    }
    EdgeId size() const { return order_.size(); }
    void apply(EdgeList& edges) const {
        reorder(edges.row, order_), reorder(edges.col, order_);
        reorder(edges.value, order_), reorder(edges.id, order_);
    }

private:
    Array<EdgeId> order_;
};

void append(TasksPlan& plan, Order& order, const TiledPlan& tiled) {
    const EdgeId tiles = tiled.grid.all_item_blocks();
    for (EdgeId p = 0; p < tiled.phases(); ++p) {
        step_by_step(
            tiled.tile_steps, p * tiles, (p + 1) * tiles,
            [&](EdgeId step) {
                for (EdgeId task = tiled.step_tasks[step]; task < tiled.step_tasks[step + 1]; ++task) {
                    order.append(tiled.task_offsets[task], tiled.task_offsets[task + 1]);
                    if (order.size() > plan.task_offsets.back()) plan.task_offsets.push_back(order.size());
                }
            },
            [&] { plan.phase_tasks.push_back(plan.task_offsets.size() - 1); });
    }
}

TasksPlan walked(EdgeList& edges, const TiledPlan& tiled) {
    TasksPlan plan{{0}, {0}};
    Order order(edges.edges());
    append(plan, order, tiled);
    order.apply(edges);
    return plan;
}

TasksPlan walked(EdgeList& edges, const CoreTailPlan& parts) {
    TasksPlan plan{{0}, {0}};
    Order order(edges.edges());
    parts.for_each_core([&](const TiledPlan& core) { append(plan, order, core); });
    for (EdgeId p = 0; p < parts.tail.phases(); ++p) {
        for (EdgeId e = parts.tail.phase_offsets[p]; e < parts.tail.phase_offsets[p + 1]; ++e) {
            order.append(e, e + 1);
            plan.task_offsets.push_back(order.size());
        }
        plan.phase_tasks.push_back(plan.task_offsets.size() - 1);
    }
    order.apply(edges);
    return plan;
}

PhasesPlan walked(EdgeList& edges, const LocalPlan& local) {
    PhasesPlan plan{{0}};
    Order order(edges.edges());
    for (EdgeId p = 0; p < local.phases(); ++p) {
        step_by_step(
            local.tile_steps, local.phase_tiles[p], local.phase_tiles[p + 1],
            [&](EdgeId step) { order.append(local.step_edges[step], local.step_edges[step + 1]); },
            [&] { plan.phase_offsets.push_back(order.size()); });
    }
    order.apply(edges);
    return plan;
}

PhasesPlan walked(EdgeList&, const ResidentPlan& resident) { return {resident.phase_offsets}; }
/// Others are off it.
template <class Walk>
Walk walked(EdgeList&, const Walk& walk) {
    return walk;
}
RacingPlan walked(EdgeList&, const RacingTilesPlan& tiles) { return {tiles.workers}; }

}  // namespace

EdgePlan off_chip(EdgePlan plan) {
    plan.walk = std::visit([&](const auto& walk) -> EdgeWalk { return walked(plan, walk); }, plan.walk);
    return plan;
}

}  // namespace lockstep
