#include "lockstep/executor/arc/tiles.hpp"

#include <algorithm>

#include "lockstep/executor/arc/parts.hpp"

namespace lockstep::arc {

namespace {

[[noreturn]] void refuse(const Schedule& schedule, const std::string& what) {
    throw ScheduleError("schedule \"" + schedule.name + "\" " + what);
}

/// Returns whether the offsets ascend from 0 to `end`, so that they divide a range into consecutive parts.
bool cuts(const std::vector<EdgeId>& offsets, EdgeId end) {
    return !offsets.empty() && offsets.front() == 0 && offsets.back() == end &&
           std::is_sorted(offsets.begin(), offsets.end());
}

/// Returns the number of hot vertices: as many of the first vertices of the order as fit in shared memory, or
/// 0 if it is not worth loading their values in every round. It is worth it if they have at least `worth`
/// arcs each on average, and at least an eighth of all arcs.
VertexId hot_vertices(const Arcs& graph) {
    // number of floats in 224 KB; a device keeps as many as fit in its shared memory
    constexpr VertexId most = 57344;
    constexpr EdgeId worth = 64;
    const VertexId count = std::min(most, graph.vertices);
    return graph.out[count] >= worth * count && graph.out[count] * 8 >= graph.arcs ? count : 0;
}

}  // namespace

Tiles::Tiles(const OrderedGraph& numbered, const Schedule& schedule)
    : Pull(Arcs(numbered)), hot(hot_vertices(*this)) {
    const Graph& graph = numbered.graph;
    const std::vector<EdgeId>& tasks = schedule.level(Level::task);
    if (schedule.order.size() != graph.edges()) refuse(schedule, "was made for another graph");
    if (schedule.disjoint != Disjoint::col && schedule.disjoint != Disjoint::both)
        refuse(schedule, "is disjoint on " + std::string(to_string(schedule.disjoint)) +
                             " only, but the operator writes targets (columns) without atomics");
    if (tasks.size() != std::size_t{graph.rows} + 1 || !cuts(tasks, graph.edges()) ||
        !cuts(schedule.level(Level::tile), graph.rows) || schedule.count(Level::phase) != 1)
        refuse(schedule, "does not divide one phase into tiles with one task per vertex");
    const Array<VertexId> row = edge_rows(graph);
    in = Offsets(tasks);
    sources.resize(graph.edges());
    weights = numbered.weights(graph.edges());
    bool by_target = true;
#pragma omp parallel for schedule(dynamic, 1024) reduction(&& : by_target)
    for (VertexId p = 0; p < graph.rows; ++p) {
        for (const EdgeId i : edges_of(tasks, p)) {
            by_target = by_target && graph.col[schedule.order[i]] == numbered.vertex(p);
            sources[i] = numbered.position(row[schedule.order[i]]);
            weights.set(i, graph.weight(schedule.order[i]));
        }
    }
    if (!by_target) refuse(schedule, "is not grouped by target");
    for (const EdgeId tile : schedule.level(Level::tile)) tiles.push_back(static_cast<VertexId>(tile));
}

Tiles::Tiles(const Tiles& whole, VertexId first, VertexId last)
    : Pull(Arcs(whole)), tiles(whole.tiles.begin() + first, whole.tiles.begin() + last + 1), hot(whole.hot) {
    const EdgeId begin = whole.in[tiles.front()], end = whole.in[tiles.back()];
    arcs = end - begin;
    std::vector<EdgeId> offsets(EdgeId{vertices} + 1);
    for (EdgeId p = 0; p <= vertices; ++p) offsets[p] = std::clamp(whole.in[p], begin, end) - begin;
    in = Offsets(offsets);
    const auto part = [&](const auto& all) {
        std::remove_cvref_t<decltype(all)> some(all.empty() ? 0 : arcs);
        if (!some.empty()) std::copy(all.begin() + begin, all.begin() + end, some.begin());
        return some;
    };
    sources = part(whole.sources);
    weights = {part(whole.weights.whole), part(whole.weights.real)};
}

std::vector<VertexId> part_ends(const Tiles& plan, std::size_t parts) {
    const VertexId count = plan.tile_count();
    const auto work = [&](VertexId tile) { return plan.in[plan.tiles[tile]] + plan.tiles[tile]; };
    std::vector<VertexId> ends{0};
    for (std::size_t part = 1; part < parts; ++part) {
        const EdgeId wanted = (count ? work(count) : 0) * part / parts;
        VertexId end = ends.back();
        while (end < count && work(end) < wanted) ++end;
        ends.push_back(end);
    }
    ends.push_back(count);
    return ends;
}

std::vector<VertexId> part_targets(const Tiles& plan, std::size_t parts) {
    std::vector<VertexId> targets = part_ends(plan, parts);
    for (VertexId& end : targets) end = plan.tiles[end];
    return targets;
}

std::vector<VertexId> process_targets(const ArcPlan& plan) {
    const auto count = static_cast<std::size_t>(ranks().count());
    if (count == 1) return {0, arcs_of(plan).vertices};
    return part_targets(std::get<Tiles>(plan), count);
}

EdgeTiles::EdgeTiles(const Tiles& plan) {
    EdgeId groups = 0;
    const auto add = [&](VertexId t) {
        const VertexId first = plan.tiles[t], last = plan.tiles[t + 1];
        const EdgeId arcs = plan.in[last] - plan.in[first];
        const auto group = checked_cast<std::uint32_t>(groups, "number of arc groups");
        tiles.push_back({first, last - first, group, checked_cast<std::uint32_t>(arcs, "arcs of a tile")});
        groups += (arcs + arc_group - 1) / arc_group;
    };
    const auto needs_block = [&](VertexId t) {
        return plan.tiles[t + 1] - plan.tiles[t] == 1 &&
               plan.in[plan.tiles[t + 1]] - plan.in[plan.tiles[t]] > block_tile;
    };
    const VertexId count = plan.tile_count();
    for (VertexId t = 0; t < count; ++t) {
        if (needs_block(t)) add(t);
    }
    block_tiles = static_cast<VertexId>(tiles.size());
    for (VertexId t = 0; t < count; ++t) {
        if (!needs_block(t)) add(t);
    }

    sources.resize(groups * arc_group);
    marks.resize(groups);
    weights = {Array<std::uint8_t>(plan.weights.whole.empty() ? 0 : sources.size()),
               Array<float>(plan.weights.real.empty() ? 0 : sources.size())};
    bool good = true;
#pragma omp parallel for schedule(dynamic, 64) reduction(&& : good)
    for (std::size_t t = 0; t < tiles.size(); ++t) {
        const EdgeTile& tile = tiles[t];
        const EdgeId begin = plan.in[tile.first];
        VertexId target = 0;
        for (EdgeId i = 0; i < tile.arcs; i += arc_group) {
            const EdgeId group = tile.group + i / arc_group;
            unsigned mark = target << arc_group;
            for (EdgeId j = 0; j < arc_group; ++j) {
                const bool real = i + j < tile.arcs;
                sources[group * arc_group + j] = real ? plan.sources[begin + i + j] : 0;
                weights.set(group * arc_group + j, real ? plan.weights.view()[begin + i + j] : 0);
                if (real && begin + i + j + 1 == plan.in[tile.first + target + EdgeId{1}])
                    mark |= 1U << j, ++target;
            }
            marks[group] = static_cast<std::uint16_t>(mark);
        }
        good = good && tile.targets <= max_tile_targets && (tile.arcs == 0 || target == tile.targets);
    }
    if (!good)
        throw ScheduleError("a tile of the schedule has too many targets, or targets with arcs and without");
}

}  // namespace lockstep::arc
