// The builders of sub-graph matchings (SGM, Kaleem et al., III-A.3) and of the hybrid of locks and sub-graph
// matchings (EL+SGM, V-B). The items are divided into blocks of T items. The edges of each block are divided
// into matchings, which are the phases of the block.
#include <algorithm>
#include <span>

#include "first_fit.hpp"
#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "resident_blocks.hpp"
#include "shuffle.hpp"

namespace lockstep {

namespace {

/// Returns the positions in `order` at which a new row or a new block begins, followed by the number of
/// edges. The edges of `order` are grouped by block, and sorted by row within a block.
Array<EdgeId> row_runs(std::span<const EdgeId> order, const std::vector<EdgeId>& blocks, const Graph& graph) {
    const Array<VertexId> row = edge_rows(graph);
    const int threads = radix_threads(order.size(), 1);
    // An upper bound; the operating system never maps pages at the end that are not used.
    Array<EdgeId> runs(order.size() + 1);
    std::vector<EdgeId> end_of(static_cast<std::size_t>(threads));
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; ++t) {
        const EdgeId end = share_begin(order.size(), t + 1, threads);
        EdgeId i = share_begin(order.size(), t, threads), run = i;
        auto block = std::lower_bound(blocks.begin(), blocks.end(), i);
        for (; i < end; ++i) {
            const bool starts_block = i == *block;
            while (*block == i) ++block;
            runs[run] = i;
            run += starts_block || row[order[i]] != row[order[i - 1]];
        }
        end_of[static_cast<std::size_t>(t)] = run;
    }
    EdgeId count = 0;
    for (int t = 0; t < threads; ++t) {
        const EdgeId begin = share_begin(order.size(), t, threads), end = end_of[static_cast<std::size_t>(t)];
        std::copy(runs.data() + begin, runs.data() + end, runs.data() + count);
        count += end - begin;
    }
    runs[count] = order.size();
    runs.resize(count + 1);
    return runs;
}

/// Builds the sub-graph matchings of all items except the first `hubs` ones, whose edges come first, in
/// random order, and run under locks. `items` are sorted by decreasing degree. A single pass of first-fit
/// colouring serves all blocks, because it treats each block as a separate graph: blocks share no column, and
/// the edges of a row in different blocks are separate runs.
void set_sub_graph_matchings(Schedule& schedule, const Graph& graph, std::vector<VertexId> items,
                             const std::vector<EdgeId>& degree, VertexId hubs, VertexId workers,
                             std::uint64_t seed = 0) {
    schedule.disjoint = Disjoint::both;
    schedule.maximal = true;
    schedule.parameters["workers"] = std::to_string(workers);
    schedule.residents.assign(items.begin() + hubs, items.end());
    const std::vector<VertexId> block = assign_blocks(schedule, graph.cols, workers);
    const auto count = static_cast<VertexId>(block_count(schedule));
    // The locked edges are grouped as a block that precedes block 0.
    Array<EdgeId>& order = schedule.order;
    std::vector<EdgeId> blocks = group_edges(order, graph.edges(), EdgeId{count} + 1, [&](EdgeId e) {
        return block[graph.col[e]] == count ? 0 : block[graph.col[e]] + 1;
    });
    blocks.erase(blocks.begin());
    schedule.locked = blocks.front();
    if (schedule.locked > 0) {
        const auto locked_end = order.begin() + static_cast<std::ptrdiff_t>(schedule.locked);
        Array<EdgeId> locked(order.begin(), locked_end);
        shuffle(locked, seed);
        std::copy(locked.begin(), locked.end(), order.begin());
    }
    for (EdgeId& begin : blocks) begin -= schedule.locked;

    const std::span<const EdgeId> edges = std::span<const EdgeId>(order).subspan(schedule.locked);
    Array<VertexId> matching;
    {
        const Array<EdgeId> runs = row_runs(edges, blocks, graph);
        Array<VertexId> col(edges.size());
#pragma omp parallel for schedule(static)
        for (EdgeId i = 0; i < edges.size(); ++i) col[i] = graph.col[edges[i]];
        matching = first_fit(runs, col, graph.cols, [&] { return degree; }).of_edge;
    }
    set_block_phases(schedule, blocks, [&](EdgeId i) { return matching[i]; });
}

}  // namespace

Schedule build_sgm(const Graph& graph, const MatchingOptions& options) {
    Schedule schedule;
    schedule.name = "sgm";
    const std::vector<EdgeId> degree = col_degrees(graph);
    set_sub_graph_matchings(schedule, graph, by_decreasing_degree(degree), degree, 0, options.workers);
    return schedule;
}

EdgeId hub_limit(EdgeId largest_degree, EdgeId edges, VertexId cols) {
    return std::max({EdgeId{64}, largest_degree / 8, 8 * edges / std::max(cols, VertexId{1})});
}

Schedule build_el_sgm(const Graph& graph, const MatchingOptions& options, std::uint64_t seed) {
    const std::vector<EdgeId> degree = col_degrees(graph);
    std::vector<VertexId> items = by_decreasing_degree(degree);
    VertexId hubs = std::min(options.hub_items, graph.cols);
    if (options.hub_items == 0 && !items.empty()) {
        const EdgeId limit = hub_limit(degree[items[0]], graph.edges(), graph.cols);
        while (hubs < graph.cols && degree[items[hubs]] > limit) ++hubs;
    }
    Schedule schedule;
    schedule.name = "el-sgm";
    schedule.parameters["hub_items"] = std::to_string(hubs);
    schedule.parameters["seed"] = std::to_string(seed);
    set_sub_graph_matchings(schedule, graph, std::move(items), degree, hubs, options.workers, seed);
    return schedule;
}

}  // namespace lockstep
