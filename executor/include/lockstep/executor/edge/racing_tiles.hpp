// The unsynchronized walk with columns in shared memory. The columns are divided into blocks, and a tile
// consists of the edges of one block of columns. One thread block processes a tile without locks and keeps
// the vectors of its columns in shared memory, so different thread blocks conflict only at rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "lockstep/executor/edge/fits.hpp"
#include "lockstep/executor/edge/racing.hpp"

namespace lockstep {

struct RacingTilesPlan {
    static constexpr Walk facts{
        .name = "racing_tiles", .form = forms::item_blocks, .bound = "half", .one_set = false};
    static constexpr bool races = true;
    EdgeId workers = ~EdgeId{0};      ///< on a GPU: maximum number of edges in flight
    std::vector<EdgeId> tile_edges;   ///< index of the first edge of each tile
    std::vector<VertexId> col_order;  ///< columns, sorted by tile
    std::vector<EdgeId> col_parts;    ///< index in `col_order` of the first column of each tile

    static RacingTilesPlan make(const PlanParts& parts) {
        return {racing_workers(parts.edges, false), parts.offsets(Level::task), parts.schedule->col_order,
                parts.schedule->col_parts};
    }
    EdgeId tiles() const { return tile_edges.size() - 1; }
    EdgeId bytes() const { return bytes_of(tile_edges, col_order, col_parts); }
    /// number of columns of the largest tile
    EdgeId largest_tile() const { return largest_part(col_parts); }
    std::optional<std::string> why_not(const EdgeList&, const OperatorSize& size,
                                       const gpu::Properties& device) const {
        const EdgeId vector = size.held_bytes * static_cast<EdgeId>(size.lanes);
        return too_many_columns(largest_tile(), device.shared_bytes / vector, "larger --rank");
    }
    template <class Model>
    static void terms(Model& m) {
        const double edge = m.cost("blocked.edge.near");
        m.add("edges", m.edges_text(), m.edges * edge);
        m.add("memory", m.edges_from_memory(),
              m.far * m.edges * m.beyond("racing.edge.far", m.cost("racing.edge.near")));
        if (!m.gpu) return;
        // DeviceWalk<RacingTilesPlan> divides the number of edges in flight among the tiles by the same
        // formula. The measurement behind the cost "blocked.flight" had one edge in flight per block.
        const double at_once = m.threads(), blocks = std::max(1.0, m.schedule.blocks);
        const double workers =
            std::floor(m.in_flight(m.graph.conflict_probability(m.graph.rows)) / (8 * blocks)) + 1;
        const double latency = m.cost("blocked.flight") / 640 * at_once;
        const double together = workers * std::min(blocks, at_once);
        m.add("flight", "at most " + m.count(together) + " edges in flight",
              std::max(0.0, m.edges * (latency / together - edge)));
        m.add("hub", m.count(m.cols_degree) + " edges of one item, 100 in flight",
              m.cols_degree * latency / 100);
    }
};

namespace cpu {

template <EdgeOperator Op>
SweepCounts sweep(const EdgeList& edges, const RacingTilesPlan& plan, const Op& op, Locks&, int threads) {
    EdgeId updates = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) reduction(+ : updates)
    for (EdgeId tile = 0; tile < plan.tiles(); ++tile) {
        update_edges(edges, op, plan.tile_edges[tile], plan.tile_edges[tile + 1], 0);
        updates += plan.tile_edges[tile + 1] - plan.tile_edges[tile];
    }
    return {updates, 1};
}

}  // namespace cpu

}  // namespace lockstep
