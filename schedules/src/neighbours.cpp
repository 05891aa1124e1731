// Schedules of neighbour iteration. The arcs are grouped by target (column), so that one worker combines the
// values of a target without atomics.
//
//     phase  ⊃  tile  ⊃  task  ⊃  edge        one phase; a task contains the arcs u -> v of one target v
//
// Tiles have about equal work (merge-path: targets and arcs count), except for tiles of a single hub. Task i
// belongs to the target col_order[i]; on square graphs row_order is the same order. The order puts vertices
// of large out-degree first, whose values a device may keep in shared memory. Apart from that it is the given
// order, because its locality is worth more than sorting by degree.
//
// edge-tiled puts targets without arcs last. pull-binned first groups targets by degree into four bins (the
// parts of col_order): one thread block, one warp, eight threads or one thread per target.
#include <algorithm>
#include <bit>

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"

namespace lockstep {

namespace {

constexpr EdgeId most_targets = 256, most_edges = 1024;  // maxima of a tile of several targets

/// Returns the degree class: 0 for the largest degrees. A class spans a factor of two; the last one contains
/// all degrees below 32.
EdgeId degree_class(EdgeId degree) { return 64 - std::max(4, static_cast<int>(std::bit_width(degree)) - 1); }
constexpr EdgeId classes = 61;

/// Returns the bin of a target in pull-binned: 0 thread block, 1 warp, 2 eight threads, 3 one thread.
EdgeId bin_of(EdgeId degree) { return degree > 2048 ? 0 : degree > 64 ? 1 : degree > 8 ? 2 : 3; }
constexpr EdgeId bins = 4;

/// Returns the vertices 0, 1, … grouped by key(v) in [0, keys). `*parts` receives the offsets of the groups.
template <class Key>
std::vector<VertexId> grouped(EdgeId vertices, EdgeId keys, std::vector<EdgeId>* parts, Key key) {
    Array<EdgeId> order = identity_order(vertices);
    *parts = group_stable(order, keys, key);
    return {order.begin(), order.end()};
}

/// Fills the schedule with the edges, grouped by target, and divides them into tiles. No tile spans a
/// position in `cut`.
void by_target(const Graph& graph, const std::vector<EdgeId>& cut, Schedule& schedule) {
    std::vector<VertexId> position(graph.cols);
    for (VertexId p = 0; p < graph.cols; ++p) position[schedule.col_order[p]] = p;
    Array<EdgeId> by_source(graph.edges());  // edges in the order of their sources
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
    auto next_cut = cut.begin();
    for (EdgeId p = 1; p <= graph.cols; ++p) {
        while (next_cut != cut.end() && *next_cut < p) ++next_cut;
        const bool at_cut = next_cut != cut.end() && *next_cut == p;
        const bool full = p == graph.cols || p - tiles.back() == most_targets ||
                          tasks[p + 1] - tasks[tiles.back()] > most_edges;
        if (at_cut || full) tiles.push_back(p);
    }
    schedule.level(Level::phase) = {0, tiles.size() - 1};
    schedule.disjoint = Disjoint::col;
    schedule.parameters["tile_targets"] = std::to_string(most_targets);
    schedule.parameters["tile_edges"] = std::to_string(most_edges);
}

/// Returns the degrees that determine the order of the targets: out-degrees. On bipartite graphs, where a
/// column has no out-degree, they are in-degrees.
const std::vector<EdgeId>& offers(const Graph& graph, const std::vector<EdgeId>& out,
                                  const std::vector<EdgeId>& in) {
    return graph.shape == GraphShape::square ? out : in;
}

/// Orders the rows. A square graph has the same order on both sides; other graphs have their rows by degree
/// class.
void order_rows(const Graph& graph, const std::vector<EdgeId>& out, Schedule& schedule) {
    std::vector<EdgeId> parts;
    schedule.row_order =
        graph.shape == GraphShape::square
            ? schedule.col_order
            : grouped(graph.rows, classes, &parts, [&](EdgeId u) { return degree_class(out[u]); });
}

}  // namespace

Schedule build_edge_tiled(const Graph& graph) {
    const std::vector<EdgeId> out = row_degrees(graph), in = col_degrees(graph);
    const std::vector<EdgeId>& offered = offers(graph, out, in);
    Schedule schedule;
    schedule.name = "edge-tiled";
    std::vector<EdgeId> parts;
    schedule.col_order = grouped(graph.cols, classes + 1, &parts,
                                 [&](EdgeId v) { return in[v] ? degree_class(offered[v]) : classes; });
    order_rows(graph, out, schedule);
    by_target(graph, {parts[classes]}, schedule);
    return schedule;
}

Schedule build_pull_binned(const Graph& graph) {
    const std::vector<EdgeId> out = row_degrees(graph), in = col_degrees(graph);
    const std::vector<EdgeId>& offered = offers(graph, out, in);
    Schedule schedule;
    schedule.name = "pull-binned";
    std::vector<EdgeId> parts;
    schedule.col_order = grouped(graph.cols, bins * classes, &parts, [&](EdgeId v) {
        return bin_of(in[v]) * classes + degree_class(offered[v]);
    });
    for (EdgeId b = 0; b <= bins; ++b) schedule.col_parts.push_back(parts[b * classes]);
    order_rows(graph, out, schedule);
    by_target(graph, schedule.col_parts, schedule);
    return schedule;
}

}  // namespace lockstep
