// Sub-graph matchings (Kaleem et al., III-A.3) and the hybrid EL+SGM (V-B).
#include <algorithm>

#include "first_fit.hpp"
#include "grouping.hpp"
#include "lockstep/schedules/builders.hpp"
#include "resident_blocks.hpp"
#include "shuffle.hpp"

namespace lockstep {

namespace {

/// Where the runs of equal rows begin, in edges that lie block after block; ends with their number.
std::vector<EdgeId> row_runs(const Array<EdgeId>& order, const std::vector<EdgeId>& blocks, const Graph& graph) {
    const Array<VertexId> row = edge_rows(graph);
    const int threads = radix_threads(order.size(), 1);
    std::vector<std::vector<EdgeId>> starts(static_cast<std::size_t>(threads));
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; ++t) {
        const EdgeId end = share_begin(order.size(), t + 1, threads);
        EdgeId i = share_begin(order.size(), t, threads);
        auto block = std::lower_bound(blocks.begin(), blocks.end(), i);
        for (; i < end; ++i) {
            const bool starts_block = i == *block;
            while (*block == i) ++block;
            if (starts_block || row[order[i]] != row[order[i - 1]])
                starts[static_cast<std::size_t>(t)].push_back(i);
        }
    }
    std::vector<EdgeId> runs = std::move(starts[0]);
    for (std::size_t t = 1; t < starts.size(); ++t) runs.insert(runs.end(), starts[t].begin(), starts[t].end());
    runs.push_back(order.size());
    return runs;
}

/// Adds the sub-graph matchings of `items` to a schedule whose order holds the `locked` edges of the
/// other items so far. A block is a graph of its own: its edges share no column with those of other
/// blocks, and its rows are runs of their own, so that one colouring serves all blocks.
void append_sub_graph_matchings(Schedule& schedule, const Graph& graph, std::vector<VertexId> items,
                                VertexId workers) {
    schedule.residents = std::move(items);
    std::vector<VertexId> block = assign_blocks(schedule, graph.cols, workers);
    const auto blocks_count = static_cast<VertexId>(block_count(schedule));
    if (schedule.locked > 0) {  // locked edges form a last block, which is cut off
        block.assign(graph.cols, blocks_count);
        for (EdgeId i = 0; i < schedule.residents.size(); ++i)
            block[schedule.residents[i]] = static_cast<VertexId>(i / workers);
    }

    Array<EdgeId> order;
    std::vector<EdgeId> blocks = group_edges(order, graph.edges(), EdgeId{blocks_count} + 1,
                                             [&](EdgeId e) { return block[graph.col[e]]; });
    blocks.pop_back();
    order.resize(blocks.back());
    Array<VertexId> matching;
    if (blocks_count == 1 && schedule.locked == 0) {
        matching = maximal_matchings(graph);
    } else {
        const std::vector<EdgeId> runs = row_runs(order, blocks, graph);
        Array<VertexId> col(order.size());
#pragma omp parallel for schedule(static)
        for (EdgeId i = 0; i < order.size(); ++i) col[i] = graph.col[order[i]];
        matching = first_fit(runs, col, graph.cols);
    }
    schedule.order.resize(schedule.locked + order.size());
    std::copy(order.begin(), order.end(), schedule.order.begin() + static_cast<std::ptrdiff_t>(schedule.locked));
    Array<EdgeId>().swap(order);
    set_block_phases(schedule, blocks, [&](EdgeId i) { return matching[i]; });
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
