// The blocked schedule: the items are distributed to blocks of equal work, and the edges of each block are in
// random order.
//
// A thread block of the GPU keeps the vectors of one item block in shared memory while it streams the edges
// of that block. No other thread block accesses these items. Rows may be updated by several thread blocks at
// the same time without synchronization (Hogwild).
#include <algorithm>

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "shuffle.hpp"
#include "tile_blocks.hpp"

namespace lockstep {

namespace {

/// Returns the requested number of item blocks. If none is requested, returns the smallest multiple of the
/// number of multiprocessors with which the items of each block fit in shared memory.
VertexId block_count(const Graph& graph, const TileOptions& options) {
    options.require_device();
    const VertexId requested = options.item_blocks == TileOptions::by_cost ? 0 : options.item_blocks;
    if (const VertexId most = std::max(graph.cols, VertexId{1} << 12); requested > most) {
        throw ScheduleError("blocked: " + std::to_string(requested) + " item blocks for " +
                                std::to_string(graph.cols) + " columns; choose at most " +
                                std::to_string(most) + " --item-blocks",
                            Failure::usage);
    }
    if (requested) return requested;
    const EdgeId vector_bytes = (EdgeId{options.rank} + 3) / 4 * 16;
    const EdgeId capacity =
        // Number of vectors that a block of mean size may have, since the largest block may have twice as
        // many.
        std::max<EdgeId>(1, options.shared_memory_bytes / vector_bytes / 2);
    const EdgeId wave = options.multiprocessors;
    const EdgeId waves = (graph.cols + capacity * wave - 1) / (capacity * wave);
    return static_cast<VertexId>(std::max<EdgeId>(1, std::min<EdgeId>(graph.cols, waves * wave)));
}

}  // namespace

Schedule build_blocked(const Graph& graph, const TileOptions& options, std::uint64_t seed) {
    const Blocks items = balanced_by_work(Ranking(col_degrees(graph)), block_count(graph, options), 1);
    const EdgeId blocks = items.parts.size() - 1;
    std::vector<VertexId> block_of(graph.cols);
    for (EdgeId b = 0; b < blocks; ++b) {
        for (EdgeId i = items.parts[b]; i < items.parts[b + 1]; ++i)
            block_of[items.order[i]] = static_cast<VertexId>(b);
    }
    Schedule schedule = build_shuffle(graph, seed);
    schedule.name = "blocked";
    schedule.disjoint = Disjoint::col;
    schedule.parameters["item_blocks"] = std::to_string(blocks);
    schedule.parameters["rank"] = std::to_string(options.rank);
    schedule.level(Level::task) =
        group_stable(schedule.order, blocks, [&](EdgeId e) { return block_of[graph.col[e]]; });
    schedule.level(Level::phase) = {0, blocks};
    schedule.row_order = by_decreasing_degree(row_degrees(graph));
    schedule.col_order = items.order, schedule.col_parts = items.parts;
    return schedule;
}

}  // namespace lockstep
