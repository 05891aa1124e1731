// Sub-graph matchings (Kaleem et al., III-A.3) and the hybrid EL+SGM (V-B).
#include <algorithm>

#include "first_fit.hpp"
#include "grouping.hpp"
#include "lockstep/schedules/builders.hpp"
#include "resident_blocks.hpp"
#include "shuffle.hpp"

namespace lockstep {

namespace {

/// Appends the sub-graph matchings of `items`, which are sorted by decreasing degree, to a schedule
/// whose order holds `locked` edges of the other items so far.
void append_sub_graph_matchings(Schedule& schedule, const Graph& graph, std::vector<VertexId> items,
                                VertexId workers) {
    schedule.residents = std::move(items);
    const std::vector<VertexId> block = assign_blocks(schedule, graph.cols, workers);
    std::vector<VertexId> position(graph.cols, max_vertices + 1);  // in its block; marks resident items
    for (EdgeId i = 0; i < schedule.residents.size(); ++i) {
        position[schedule.residents[i]] = static_cast<VertexId>(i % workers);
    }

    std::vector<EdgeId> order;
    order.reserve(graph.edges() - schedule.locked);
    for (EdgeId e = 0; e < graph.edges(); ++e) {
        if (position[graph.col[e]] <= max_vertices) order.push_back(e);
    }
    const std::vector<EdgeId> blocks =
        group_stable(order, block_count(schedule), [&](EdgeId e) { return block[graph.col[e]]; });

    const std::vector<VertexId> edge_row = edge_rows(graph);
    std::vector<VertexId> matching(graph.edges());
    std::vector<VertexId> row, col;
    for (std::size_t b = 0; b + 1 < blocks.size(); ++b) {
        const std::vector<EdgeId> edges(order.begin() + static_cast<std::ptrdiff_t>(blocks[b]),
                                        order.begin() + static_cast<std::ptrdiff_t>(blocks[b + 1]));
        row.clear(), col.clear();
        for (const EdgeId e : edges) row.push_back(edge_row[e]), col.push_back(position[graph.col[e]]);
        const std::vector<VertexId> colour = first_fit(row, col, workers);
        VertexId colours = 0;
        for (std::size_t i = 0; i < edges.size(); ++i) {
            matching[edges[i]] = colour[i];
            colours = std::max(colours, colour[i] + 1);
        }
        std::vector<EdgeId> grouped = edges;
        group_stable(grouped, colours, [&](EdgeId e) { return matching[e]; });
        std::copy(grouped.begin(), grouped.end(), order.begin() + static_cast<std::ptrdiff_t>(blocks[b]));
    }
    schedule.order.insert(schedule.order.end(), order.begin(), order.end());
    set_block_phases(schedule, blocks, matching);
}

}  // namespace

Schedule build_sgm(const Graph& graph, const BuildOptions& options) {
    Schedule schedule;
    schedule.name = "sgm";
    schedule.disjoint = Disjoint::both;
    schedule.maximal = true;
    schedule.parameters["workers"] = std::to_string(options.workers);
    append_sub_graph_matchings(schedule, graph, by_decreasing_degree(col_degrees(graph)), options.workers);
    return schedule;
}

Schedule build_el_sgm(const Graph& graph, const BuildOptions& options) {
    const std::vector<EdgeId> degree = col_degrees(graph);
    std::vector<VertexId> items = by_decreasing_degree(degree);
    VertexId hubs = std::min(options.hub_items, graph.cols);
    if (options.hub_items == 0 && !items.empty()) {
        // Under locks go the items that alone would stretch SGM to many times its typical length: those
        // near the largest degree, where that is far above the mean.
        const EdgeId limit = std::max({EdgeId{64}, degree[items[0]] / 8, 8 * graph.edges() / graph.cols});
        while (hubs < graph.cols && degree[items[hubs]] > limit) ++hubs;
    }

    Schedule schedule;
    schedule.name = "el-sgm";
    schedule.disjoint = Disjoint::both;
    schedule.maximal = true;
    schedule.parameters["workers"] = std::to_string(options.workers);
    schedule.parameters["hub_items"] = std::to_string(hubs);
    schedule.parameters["seed"] = std::to_string(options.seed);
    std::vector<bool> hub(graph.cols, false);
    for (VertexId i = 0; i < hubs; ++i) hub[items[i]] = true;
    for (EdgeId e = 0; e < graph.edges(); ++e) {
        if (hub[graph.col[e]]) schedule.order.push_back(e);
    }
    shuffle(schedule.order, options.seed);
    schedule.locked = schedule.order.size();
    items.erase(items.begin(), items.begin() + hubs);
    append_sub_graph_matchings(schedule, graph, std::move(items), options.workers);
    return schedule;
}

}  // namespace lockstep
