// Racing, a thread block a block of columns, whose vectors it keeps on chip: only rows are raced for.
#pragma once

#include <vector>

#include "lockstep/executor/edge/racing.hpp"

namespace lockstep {

struct RacingTilesPlan {
    static constexpr bool races = true;
    EdgeId workers = ~EdgeId{0};      ///< on a GPU: most edges in flight
    std::vector<EdgeId> tile_edges;   ///< tile -> edges
    std::vector<VertexId> col_order;  ///< the columns, tile after tile
    std::vector<EdgeId> col_parts;    ///< tile -> the above

    EdgeId tiles() const { return tile_edges.size() - 1; }
    EdgeId bytes() const { return bytes_of(tile_edges, col_order, col_parts); }
    EdgeId largest_tile() const { return largest_part(col_parts); }  ///< columns
};

namespace cpu {

template <EdgeOperator Op>
SweepCounts sweep(const EdgeList& edges, const RacingTilesPlan& plan, const Op& op, Locks&, int threads) {
    EdgeId updates = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) reduction(+ : updates)
    for (EdgeId tile = 0; tile < plan.tiles(); ++tile) {
        for (EdgeId e = plan.tile_edges[tile]; e < plan.tile_edges[tile + 1]; ++e, ++updates)
            update_edge(edges, op, e, Place{e, 0, e});
    }
    return {updates, 1};
}

}  // namespace cpu

}  // namespace lockstep
