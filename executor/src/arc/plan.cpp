#include "lockstep/executor/arc/plan.hpp"

#include <bit>
#include <optional>
#include <string>

namespace lockstep {

namespace arc {

int VirtualWarps::fitting_width(const Graph& graph) {
    const EdgeId mean = graph.rows ? graph.edges() / graph.rows : 0;
    return static_cast<int>(std::clamp<EdgeId>(std::bit_floor(std::max<EdgeId>(mean / 2, 1)), 1, 32));
}

void VirtualWarps::check() const {
    if (width < 1 || width > 64 || !std::has_single_bit(static_cast<unsigned>(width)))
        throw Error(Failure::usage, "the warp size must be 1, 2, 4, … 64, not " + std::to_string(width));
    if (chunk < 1 || chunk > 10)
        throw Error(Failure::usage, "the chunk must be 1 to 10, not " + std::to_string(chunk));
}

}  // namespace arc

ArcPlan make_arc_plan(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                      arc::VirtualWarps warps, bool weighted) {
    if (strategy.walk.family != Family::arcs)
        throw ScheduleError(std::string("strategy ") + strategy.name + " does not work on arcs");
    require_ends(graph, Ends::sides);
    if (graph.shape != GraphShape::square)
        throw ScheduleError(
            "applications on arcs need a square graph (one set of vertices): read it with --shape square");
    require_form(graph, strategy, schedule);
    warps.check();
    std::optional<ArcPlan> plan;
    WalksOf<ArcWalk>::call(strategy.walk, [&]<class Plan>(std::type_identity<Plan>) {
        static const std::vector<VertexId> given;
        const std::vector<VertexId>& order = !schedule             ? given
                                             : Plan::by_out_degree ? schedule->row_order
                                                                   : schedule->col_order;
        if (schedule && order.size() != graph.rows)
            throw ScheduleError("schedule \"" + schedule->name + "\" has no order of the vertices");
        const arc::OrderedGraph numbered(graph, order, weighted);
        if constexpr (std::is_constructible_v<Plan, const arc::OrderedGraph&, const Schedule&>)
            plan = Plan(numbered, *schedule);
        else if constexpr (std::is_constructible_v<Plan, const arc::OrderedGraph&, arc::VirtualWarps>)
            plan = Plan(numbered, warps);
        else
            plan = Plan(numbered);
    });
    return std::move(plan.value());
}

EdgeId host_bytes(const ArcPlan& plan) {
    return std::visit([](const auto& walk) { return walk.bytes() + 4 * walk.order.size(); }, plan);
}

EdgeId device_bytes(const ArcPlan& plan) {
    return std::visit([](const auto& walk) { return walk.bytes() + stream_bytes(walk); }, plan);
}

}  // namespace lockstep
