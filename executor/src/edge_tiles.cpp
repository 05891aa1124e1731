#include "lockstep/executor/edge_tiles.hpp"

#include <algorithm>

namespace lockstep {

EdgeTiles edge_tiles(const NeighbourPlan& plan) {
    EdgeTiles result;
    EdgeId groups = 0;
    const auto add = [&](std::size_t t) {
        const VertexId first = plan.tiles[t], last = plan.tiles[t + 1];
        const EdgeId arcs = plan.in[last] - plan.in[first];
        const auto group = checked_cast<std::uint32_t>(groups, "number of arc groups");
        result.tiles.push_back(
            {first, last - first, group, checked_cast<std::uint32_t>(arcs, "arcs of a tile")});
        groups += (arcs + arc_group - 1) / arc_group;
    };
    const auto needs_block = [&](std::size_t t) {
        return plan.tiles[t + 1] - plan.tiles[t] == 1 &&
               plan.in[plan.tiles[t + 1]] - plan.in[plan.tiles[t]] > block_tile;
    };
    const std::size_t count = plan.tiles.empty() ? 0 : plan.tiles.size() - 1;
    for (std::size_t t = 0; t < count; ++t) {
        if (needs_block(t)) add(t);
    }
    result.block_tiles = static_cast<VertexId>(result.tiles.size());
    for (std::size_t t = 0; t < count; ++t) {
        if (!needs_block(t)) add(t);
    }

    result.sources.resize(groups * arc_group);
    result.marks.resize(groups);
    bool good = true;
#pragma omp parallel for schedule(dynamic, 64) reduction(&& : good)
    for (std::size_t t = 0; t < result.tiles.size(); ++t) {
        const EdgeTile& tile = result.tiles[t];
        const EdgeId begin = plan.in[tile.first];
        VertexId target = 0;
        for (EdgeId i = 0; i < tile.arcs; i += arc_group) {
            const EdgeId group = tile.group + i / arc_group;
            unsigned mark = target << arc_group;
            for (EdgeId j = 0; j < arc_group; ++j) {
                const bool real = i + j < tile.arcs;
                result.sources[group * arc_group + j] = real ? plan.sources[begin + i + j] : 0;
                if (real && begin + i + j + 1 == plan.in[tile.first + target + EdgeId{1}])
                    mark |= 1U << j, ++target;
            }
            result.marks[group] = static_cast<std::uint16_t>(mark);
        }
        good = good && tile.targets <= most_tile_targets && (tile.arcs == 0 || target == tile.targets);
    }
    if (!good)
        throw ScheduleError("a tile of the schedule has too many targets, or targets with arcs and without");
    return result;
}

}  // namespace lockstep
