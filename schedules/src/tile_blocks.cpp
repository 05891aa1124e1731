#include "tile_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <queue>

#include "shuffle.hpp"

namespace lockstep {

EdgeId Blocks::largest() const {
    EdgeId largest = 0;
    for (std::size_t b = 0; b + 1 < parts.size(); ++b) largest = std::max(largest, parts[b + 1] - parts[b]);
    return largest;
}

Ranking::Ranking(const std::vector<EdgeId>& degree_of_vertex)
    : vertex(by_decreasing_degree(degree_of_vertex)), degree(vertex.size()) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < vertex.size(); ++i) degree[i] = degree_of_vertex[vertex[i]];
}

namespace {

/// The result of balanced_by_work(), as runs of vertices that go to the same block.
struct BlockRuns {
    struct Run {  // consecutive vertices of the ranking that go to one block
        EdgeId first, size;
        VertexId block;
    };
    std::vector<Run> runs;
    std::vector<EdgeId> sizes;  ///< number of vertices per block

    BlockRuns(const Ranking& side, VertexId blocks, double first_weight) : sizes(blocks, 0) {
        const auto vertices = static_cast<EdgeId>(side.vertex.size());
        const EdgeId capacity = 2 * ((vertices + blocks - 1) / blocks);
        using Load = std::pair<double, VertexId>;
        std::priority_queue<Load, std::vector<Load>, std::greater<>> least;
        for (VertexId b = 0; b < blocks; ++b) least.emplace(0, b);
        for (EdgeId next = 0; next < vertices;) {
            // If many vertices have equal degrees, a block gets several of them at a time, which saves time.
            // Their number is limited such that the remaining vertices can still balance the work of the
            // blocks.
            const EdgeId d = side.degree[next];
            const auto behind = std::upper_bound(side.degree.begin() + static_cast<std::ptrdiff_t>(next),
                                                 side.degree.end(), d, std::greater<>());
            const auto last_equal = static_cast<EdgeId>(behind - side.degree.begin());
            while (next != last_equal) {
                auto [load, b] = least.top();
                least.pop();
                const EdgeId wanted = std::max<EdgeId>(1, (last_equal - next) / (8 * blocks));
                const EdgeId taken = std::min(wanted, capacity - sizes[b]);
                if (sizes[b] == 0) load += (first_weight - 1) * static_cast<double>(d);
                load += static_cast<double>(taken) * (static_cast<double>(d) + 1);
                runs.push_back({next, taken, b});
                sizes[b] += taken, next += taken;
                if (sizes[b] < capacity) least.emplace(load, b);
            }
        }
    }
    EdgeId largest() const { return *std::max_element(sizes.begin(), sizes.end()); }
    Blocks blocks(const Ranking& side) const {
        Blocks result;
        result.parts.assign(1, 0);
        std::partial_sum(sizes.begin(), sizes.end(), std::back_inserter(result.parts));
        result.order.resize(side.vertex.size());
        std::vector<EdgeId> place(result.parts.begin(), result.parts.end() - 1);
        for (const Run& run : runs) {
            std::copy_n(side.vertex.data() + run.first, run.size, result.order.data() + place[run.block]);
            place[run.block] += run.size;
        }
        return result;
    }
};

}  // namespace

Blocks balanced_by_work(const Ranking& side, VertexId blocks, double first_weight) {
    return BlockRuns(side, blocks, first_weight).blocks(side);
}

Blocks balanced_by_size(const Ranking& side, VertexId blocks) {
    const std::vector<VertexId>& sorted = side.vertex;
    const EdgeId whole_rounds = sorted.size() / blocks, rest = sorted.size() % blocks;
    const bool back = whole_rounds % 2;  // whether the last round, which is incomplete, runs backward
    Blocks result;
    result.order.resize(sorted.size());
    result.parts.assign(1, 0);
    for (EdgeId b = 0; b < blocks; ++b) {
        const bool one_more = back ? b >= blocks - rest : b < rest;
        result.parts.push_back(result.parts.back() + whole_rounds + one_more);
    }
#pragma omp parallel for schedule(static)
    for (EdgeId b = 0; b < blocks; ++b) {
        VertexId* const block = result.order.data() + result.parts[b];
        const EdgeId size = result.parts[b + 1] - result.parts[b];
        for (EdgeId round = 0; round < size; ++round)
            block[round] = sorted[round * blocks + (round % 2 ? blocks - 1 - b : b)];
    }
    return result;
}

namespace {

/// Returns the size in bytes of a vector in shared memory.
EdgeId vector_bytes_of(const TileOptions& options) {
    return (EdgeId{options.rank} * (options.half_precision ? 2 : 4) + 15) / 16 * 16;
}

/// Returns the grid for P item blocks per group and at least `min_laps` laps, and the distribution of the
/// items. Does not compute the cost.
TileGeometry geometry_of(const TileSides& sides, const TileOptions& options, EdgeId item_blocks,
                         EdgeId min_laps) {
    constexpr EdgeId edge_bytes = 14, max_tiles = EdgeId{1} << 26;
    // Bytes of shared memory for other purposes. For ranks up to 64, the kernel also stores tables for long
    // stars.
    const EdgeId other_bytes = options.rank > 64 ? 12 << 10 : 36 << 10;
    const EdgeId vector_bytes = vector_bytes_of(options);
    const EdgeId rows = sides.moving.vertex.size(), cols = sides.resident.vertex.size();
    const EdgeId gpus = std::max<EdgeId>(options.gpus, 1);
    if (options.groups % gpus) {
        throw ScheduleError("tiled: " + std::to_string(gpus) + " GPUs cannot share " +
                                std::to_string(options.groups) + " groups evenly; choose a multiple",
                            Failure::usage);
    }
    TileGrid grid;
    grid.item_blocks = item_blocks;
    if (options.user_blocks && (options.user_blocks < 2 * grid.item_blocks || options.user_blocks % 2)) {
        throw ScheduleError("tiled: user blocks must be an even number, at least twice the item blocks",
                            Failure::usage);
    }
    // This check comes before all integer products, because the requested numbers may be so large that a
    // product would overflow 64 bits.
    const double groups_asked = std::max<double>(options.groups, static_cast<double>(gpus)),
                 p = static_cast<double>(grid.item_blocks), r = std::max<double>(options.user_blocks, 2 * p);
    const double tiles_asked = groups_asked * groups_asked * p * r;
    const double max_requested =
        std::min(static_cast<double>(max_tiles), std::max(0x1p22, 4 * static_cast<double>(sides.edges)));
    if (tiles_asked > max_requested) {
        throw ScheduleError(
            fmt::format(
                "tiled: {:.0f} groups of {:.0f} item blocks and {:.0f} user blocks make {:.3g} tiles, but {} "
                "edges can use at most {:.0f}; choose fewer --groups, --item-blocks or --user-blocks",
                groups_asked, p, r, tiles_asked, sides.edges, max_requested),
            Failure::usage);
    }
    const auto needed = [&](EdgeId items) {
        const EdgeId users = (rows + grid.all_user_blocks() - 1) / grid.all_user_blocks();
        const EdgeId tile = sides.edges * 5 / 4 / grid.tiles();
        return (items + 2 * users) * vector_bytes + 2 * edge_bytes * tile + other_bytes;
    };
    // With `too_few` laps or fewer, the vectors of the items alone would fill the shared memory, even in
    // blocks of equal size.
    grid.groups = options.groups ? options.groups : gpus;
    const EdgeId too_few = cols * vector_bytes / (grid.side_by_side() * options.shared_memory_bytes);
    for (grid.laps = std::max(too_few + 1, min_laps);; ++grid.laps) {
        const EdgeId blocks = grid.all_item_blocks();
        const BlockRuns items(sides.resident, checked_cast<VertexId>(blocks, "item blocks"),
                              options.hub_weight);
        const EdgeId most = items.largest();
        // If the items fill at most half of the shared memory and the users do not fit, more laps do not
        // help.
        const bool enough =
            2 * most * vector_bytes + other_bytes <= options.shared_memory_bytes || grid.strata() >= cols;
        bool fits = false, stop = false;
        for (EdgeId blocks_of_users = options.user_blocks ? options.user_blocks : 2 * grid.item_blocks;
             !fits && !stop; blocks_of_users += grid.item_blocks + grid.item_blocks % 2) {
            grid.user_blocks = blocks_of_users;
            fits = needed(most) <= options.shared_memory_bytes;
            // More laps cost less than tiles of only a few edges, if more laps help at all.
            const bool small = rows <= 8 * grid.all_user_blocks() || sides.edges <= 64 * grid.tiles();
            stop = options.user_blocks || (small && !enough) || rows <= grid.all_user_blocks() ||
                   grid.tiles() > max_tiles;
        }
        if (fits || enough || grid.tiles() > max_tiles) return {grid, items.blocks(sides.resident), {}};
    }
}

SideOfTiles side_of(const Ranking& side) {
    return {side.degree.size(), [&degree = side.degree](double rank) {
                const auto place = static_cast<std::size_t>(rank);
                return place < degree.size() ? static_cast<double>(degree[place]) : 0;
            }};
}

}  // namespace

TileSides tile_sides(const Graph& graph, bool turned) {
    TileSides sides{Ranking(col_degrees(graph)), Ranking(row_degrees(graph)), graph.edges()};
    if (turned) std::swap(sides.resident, sides.moving);
    return sides;
}

TileGeometry choose_geometry(const TileSides& sides, const TileOptions& options) {
    options.require_device();
    constexpr EdgeId min_blocks = 4;
    const bool by_cost = options.item_blocks == TileOptions::by_cost;
    const auto geometry = [&](EdgeId blocks, EdgeId min_laps = 1) {
        TileGeometry found = geometry_of(sides, options, blocks, min_laps);
        found.cost =
            cost_of_tiles(found.grid, sides.edges, side_of(sides.resident), side_of(sides.moving),
                          vector_bytes_of(options), options.costs, std::max<EdgeId>(options.gpus, 1));
        return found;
    };
    const EdgeId one_each =
        std::clamp<EdgeId>(options.multiprocessors, 1, std::max<EdgeId>(sides.resident.vertex.size(), 1));
    TileGeometry most = geometry(by_cost || options.item_blocks == 0 ? one_each : options.item_blocks);
    // Fewer item blocks mean fewer phases with more work per tile, and from some number on more laps. If even
    // one block per multiprocessor needs several laps, only the number of laps can change.
    const bool too_many = most.grid.laps > 1;
    while (by_cost && too_many) {  // more laps leave capacity for larger user blocks
        TileGeometry next = geometry(one_each, most.grid.laps + 1);
        if (next.cost.seconds() >= most.cost.seconds()) break;
        most = std::move(next);
    }
    std::optional<TileGeometry> best;
    for (EdgeId blocks = next_smaller_block_count(one_each); by_cost && !too_many && blocks >= min_blocks;
         blocks = next_smaller_block_count(blocks)) {
        if (options.user_blocks && options.user_blocks < 2 * blocks) continue;
        TileGeometry next = geometry(blocks);
        const double least = best ? best->cost.seconds() : clearly_faster * most.cost.seconds();
        if (next.cost.seconds() > 1.5 * least) break;
        if (next.cost.seconds() < least) best = std::move(next);
    }
    return best ? std::move(*best) : std::move(most);
}

}  // namespace lockstep
