// Core and tail: the edges of hubs, on either side, as tiles that keep the hubs on chip; what is left, whose
// degrees are small, as a few large matchings. For graphs of many vertices with few edges each and some hubs:
// tiles of all of it would be nearly empty, and matchings alone as many as the largest hub has edges.
#include "lockstep/schedules/core_tail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "lockstep/schedules/grouping.hpp"
#include "lockstep/schedules/hub_cut.hpp"
#include "sub_graph.hpp"

namespace lockstep {

namespace {

constexpr std::array inner_levels{Level::phase, Level::tile, Level::step, Level::task};

class CoreTailBuilder {
public:
    CoreTailBuilder(const Graph& graph, const BuildOptions& options, Schedule& schedule)
        : graph_(graph), options_(options), schedule_(schedule), row_(edge_rows(graph)) {
        options_.groups = 1, options_.gpus = 1, options_.user_blocks = 0;
        options_.resident = Resident::items;
        schedule.order.resize(graph.edges());
        schedule.level(Level::block) = {0};
        for (const Level level : inner_levels) schedule.level(level) = {0};
    }

    /// The next part, of `edges`, ascending. `turned`: its rows reside.
    void add_core(Array<EdgeId> edges, bool turned, const char* name) {
        schedule_.parameters[std::string(name) + "_edges"] = std::to_string(edges.size());
        if (!edges.empty()) {
            const SubGraph part = sub_graph(graph_, row_, std::move(edges), turned, true);
            const Schedule tiles = build_tiled(part.graph, options_);
            for (const char* parameter : {"item_blocks", "user_blocks"})
                schedule_.parameters[std::string(name) + "_" + parameter] = tiles.parameters.at(parameter);
            for (const Level level : inner_levels) append(level, tiles.level(level));
            take_edges(part, tiles.order);
        }
        end_part();
    }
    void add_tail(Array<EdgeId> edges) {
        schedule_.parameters["tail_edges"] = std::to_string(edges.size());
        if (!edges.empty()) {
            const SubGraph part = sub_graph(graph_, row_, std::move(edges), false, true);
            const Schedule matchings = build_agm_e(part.graph, options_);
            schedule_.parameters["matching"] = matchings.parameters.at("matching");
            std::vector<EdgeId> ones(matchings.count(Level::phase) + 1), tasks(part.edge.size() + 1);
            std::iota(ones.begin(), ones.end(), EdgeId{0});
            std::iota(tasks.begin(), tasks.end(), EdgeId{0});
            append(Level::phase, ones), append(Level::tile, ones);
            append(Level::step, matchings.level(Level::phase)), append(Level::task, tasks);
            take_edges(part, matchings.order);
        }
        end_part();
    }

private:
    void append(Level level, const std::vector<EdgeId>& offsets) {
        std::vector<EdgeId>& to = schedule_.level(level);
        const EdgeId before = to.back();
        for (std::size_t i = 1; i < offsets.size(); ++i) to.push_back(before + offsets[i]);
    }
    void take_edges(const SubGraph& part, const Array<EdgeId>& order) {
#pragma omp parallel for schedule(static)
        for (EdgeId i = 0; i < order.size(); ++i) schedule_.order[taken_ + i] = part.edge[order[i]];
        taken_ += order.size();
    }
    void end_part() { schedule_.level(Level::block).push_back(schedule_.count(Level::phase)); }

    const Graph& graph_;
    BuildOptions options_;
    Schedule& schedule_;
    Array<VertexId> row_;
    EdgeId taken_ = 0;
};

}  // namespace

Schedule build_core_tail(const Graph& graph, const BuildOptions& options) {
    enum Part : EdgeId { users, items, tail, parts };
    Schedule schedule;
    schedule.name = "core-tail";
    schedule.disjoint = Disjoint::both;
    const HubCut hubs = choose_hubs(graph, options);
    schedule.parameters["hub_items_above"] = std::to_string(hubs.items);
    schedule.parameters["hub_users_above"] = std::to_string(hubs.users);
    schedule.parameters["rank"] = std::to_string(options.rank);
    schedule.parameters["storage"] = options.half_precision ? "fp16" : "fp32";
    if (!options.hub_degree) {
        schedule.parameters["choice"] = fmt::format(
            "hubs are items of more than {} edges, and users of more than {} others", hubs.items, hubs.users);
        schedule.parameters["predicted_ms"] = fmt::format("{:.3f}", 1e3 * hubs.seconds());
        schedule.parameters["predicted_parts"] = fmt::format(
            ": core by users {:.3f} ms, by items {:.3f} ms, tail {:.3f} ms", 1e3 * hubs.users_core.seconds,
            1e3 * hubs.items_core.seconds, 1e3 * hubs.tail_seconds);
    }

    const std::vector<EdgeId> degree = col_degrees(graph);
    std::vector<std::uint8_t> part(graph.edges());
#pragma omp parallel for schedule(dynamic, 4096)
    for (VertexId u = 0; u < graph.rows; ++u) {
        const EdgeId first = graph.row_offsets[u], end = graph.row_offsets[u + std::size_t{1}];
        const auto is_hub = [&](EdgeId e) { return degree[graph.col[e]] > hubs.items; };
        EdgeId left = 0;
        for (EdgeId e = first; e < end; ++e) left += !is_hub(e);
        for (EdgeId e = first; e < end; ++e)
            part[e] = static_cast<std::uint8_t>(is_hub(e) ? items : left > hubs.users ? users : tail);
    }
    Array<EdgeId> edges;
    const std::vector<EdgeId> begin =
        group_edges(edges, graph.edges(), parts, [&](EdgeId e) { return EdgeId{part[e]}; });
    const auto edges_of = [&](Part p) {
        return Array<EdgeId>(edges.begin() + static_cast<std::ptrdiff_t>(begin[p]),
                             edges.begin() + static_cast<std::ptrdiff_t>(begin[p + 1]));
    };
    CoreTailBuilder builder(graph, options, schedule);
    builder.add_core(edges_of(users), true, "users");
    builder.add_core(edges_of(items), false, "items");
    builder.add_tail(edges_of(tail));
    return schedule;
}

}  // namespace lockstep
