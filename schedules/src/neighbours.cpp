// The edge-tiled schedule, for algorithms that combine at each vertex the values of its neighbours (such as
// PageRank). The arcs are grouped by their target (column), so that one worker combines the values at a
// target without atomics.
//
//     phase  ⊃  tile  ⊃  task  ⊃  edge        one phase; a task contains the arcs u -> v of one target v
//
// Task i contains the arcs of target col_order[i]. Tiles have about equal work: at most 256 targets and 1,024
// arcs, unless a tile consists of one hub. The order of the targets has vertices of large out-degree first,
// since many arcs read their values and a device may keep these in shared memory. Within a class of similar
// degree, vertices keep the order of their IDs, because its locality is worth more than an exact sort.
// Targets without arcs come last. In square graphs, row_order equals col_order.
#include <algorithm>
#include <bit>

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"

namespace lockstep {

namespace {

// Maximum numbers of targets and arcs of a tile of several targets.
constexpr EdgeId max_targets = 256, max_edges = 1024;

/// Returns the class of a degree; class 0 has the largest degrees. A class spans a factor of two; the last
/// one has all degrees below 32.
EdgeId degree_class(EdgeId degree) { return 64 - std::max(4, static_cast<int>(std::bit_width(degree)) - 1); }
constexpr EdgeId classes = 61;

/// Returns the vertices 0 … vertices - 1, grouped by key(v) in [0, keys). `*parts` receives the offsets of
/// the groups.
template <class Key>
std::vector<VertexId> group_vertices(EdgeId vertices, EdgeId keys, std::vector<EdgeId>* parts, Key key) {
    Array<EdgeId> order = identity_order(vertices);
    *parts = group_stable(order, keys, key);
    return {order.begin(), order.end()};
}

/// Fills the levels of the schedule: one task per target in the order of col_order, and tiles of consecutive
/// targets. No tile extends across `cut`, the position of the first target without arcs. The arcs of a task
/// are ordered by the position of their source.
void by_target(const Graph& graph, EdgeId cut, Schedule& schedule) {
    std::vector<VertexId> position(graph.cols);
    for (VertexId p = 0; p < graph.cols; ++p) position[schedule.col_order[p]] = p;
    Array<EdgeId> by_source(graph.edges());  // edge IDs in the order of their sources
    std::vector<EdgeId> first(std::size_t{graph.rows} + 1, 0);
    for (VertexId p = 0; p < graph.rows; ++p) {
        const VertexId u = schedule.row_order[p];
        first[p + 1] = first[p] + graph.row_offsets[u + 1] - graph.row_offsets[u];
    }
#pragma omp parallel for schedule(dynamic, 1024)
    for (VertexId p = 0; p < graph.rows; ++p) {
        EdgeId edge = graph.row_offsets[schedule.row_order[p]];
        for (EdgeId i = first[p]; i < first[p + 1]; ++i) by_source[i] = edge++;
    }
    schedule.order.resize(graph.edges());
    schedule.level(Level::task) = group_ids(
        graph.edges(), graph.cols, [&](EdgeId i) { return position[graph.col[by_source[i]]]; },
        [&](EdgeId i) { return by_source[i]; }, graph.edges(), schedule.order.data());

    const std::vector<EdgeId>& tasks = schedule.level(Level::task);
    std::vector<EdgeId>& tiles = schedule.level(Level::tile);
    tiles.assign(1, 0);
    for (EdgeId p = 1; p <= graph.cols; ++p) {
        const bool full = p == graph.cols || p - tiles.back() == max_targets ||
                          tasks[p + 1] - tasks[tiles.back()] > max_edges;
        if (p == cut || full) tiles.push_back(p);
    }
    schedule.level(Level::phase) = {0, tiles.size() - 1};
    schedule.disjoint = Disjoint::col;
    schedule.parameters["tile_targets"] = std::to_string(max_targets);
    schedule.parameters["tile_edges"] = std::to_string(max_edges);
}

/// Returns the degrees by which the targets are ordered. In square graphs these are out-degrees. In bipartite
/// graphs, in which columns have no out-degree, these are in-degrees.
const std::vector<EdgeId>& offers(const Graph& graph, const std::vector<EdgeId>& out,
                                  const std::vector<EdgeId>& in) {
    return graph.shape == GraphShape::square ? out : in;
}

/// Sets the order of the rows. A square graph uses the order of its columns; a bipartite graph has its rows
/// sorted by degree class.
void order_rows(const Graph& graph, const std::vector<EdgeId>& out, Schedule& schedule) {
    std::vector<EdgeId> parts;
    schedule.row_order =
        graph.shape == GraphShape::square
            ? schedule.col_order
            : group_vertices(graph.rows, classes, &parts, [&](EdgeId u) { return degree_class(out[u]); });
}

}  // namespace

Schedule build_edge_tiled(const Graph& graph) {
    const std::vector<EdgeId> out = row_degrees(graph), in = col_degrees(graph);
    const std::vector<EdgeId>& offered = offers(graph, out, in);
    Schedule schedule;
    schedule.name = "edge-tiled";
    std::vector<EdgeId> parts;
    schedule.col_order = group_vertices(graph.cols, classes + 1, &parts,
                                        [&](EdgeId v) { return in[v] ? degree_class(offered[v]) : classes; });
    order_rows(graph, out, schedule);
    by_target(graph, parts[classes], schedule);
    return schedule;
}

}  // namespace lockstep
