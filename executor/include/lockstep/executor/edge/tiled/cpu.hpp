// The tiled walk on the CPU: threads draw tiles phase after phase (turns.hpp) and run a tile's stars one
// after another, by the very arithmetic of the GPU (star.hpp), so the bits are the same.
#pragma once

#include <omp.h>

#include <algorithm>

#include "lockstep/executor/edge/locks.hpp"
#include "lockstep/executor/edge/on_chip.hpp"
#include "lockstep/executor/edge/tiled/mapped_star.hpp"
#include "lockstep/executor/edge/tiled/plan.hpp"
#include "lockstep/executor/edge/tiled/turns.hpp"
#include "lockstep/executor/edge/update.hpp"

namespace lockstep::cpu {

/// Edges [begin, end), which share an end. Of one edge either would do: it is the column.
inline bool is_of_row(const EdgeView& edges, EdgeId begin, EdgeId end) {
    return end - begin > 1 && edges.row[begin] == edges.row[begin + 1];
}

/// A star, and where its vectors are.
template <AffineOperator Op>
struct Star {
    const EdgeView& edges;
    const Op& op;
    EdgeId begin, end;
    bool of_row = is_of_row(edges, begin, end);
    const VertexId* place = of_row ? edges.col.data() : edges.row.data();
    typename Op::Element* leaves = of_row ? op.col_at(0) : op.row_at(0);
    typename Op::Element* centre = of_row ? op.row_at(edges.row[begin]) : op.col_at(edges.col[begin]);

    typename Op::Element* leaf(EdgeId e) const { return leaves + op.offset_of(place[e]); }
    typename Op::Share share() const { return op.share_at(centre); }
    /// All its edges in order, from the centre `h` on, single precision, which becomes what it is after them:
    /// two at a time, or four of a long star.
    template <int batch>
    void run(float* h) const {
        const auto leaf_ahead = [&](EdgeId i) {
            fetch_ahead(edges, op, begin + i);
            return leaf(begin + i);
        };
        const auto value = [&](EdgeId i) { return edges.value[begin + i]; };
        if constexpr (requires { op.template run_star<batch>(h, share(), EdgeId{}, leaf_ahead, value); }) {
            op.template run_star<batch>(h, share(), end - begin, leaf_ahead, value);
        } else {
            auto vector = op.take(h, share());
            for (EdgeId e = begin; e < end; e += batch) {
                const int count = static_cast<int>(std::min<EdgeId>(batch, end - e));
                typename Op::Row some[batch];
                float values[batch];
                for (int j = 0; j < batch; ++j) {
                    const EdgeId edge = e + static_cast<EdgeId>(std::min(j, count - 1));
                    some[j] = op.take(leaf(edge), op.share_at(leaf(edge))), values[j] = edges.value[edge];
                }
                StarEdges<batch>::run(op, vector, some, values, count);
                for (int j = 0; j < count; ++j) op.put(leaf(e + static_cast<EdgeId>(j)), some[j]);
            }
            op.put(h, vector);
        }
    }
};

/// All edges of a star in order, the centre in single precision meanwhile.
template <int batch, AffineOperator Op>
void run_star(const Star<Op>& star) {
    if constexpr (std::is_same_v<typename Op::Element, float>) {
        star.template run<batch>(star.centre);
    } else {
        float h[Op::components];
        star.op.widen(star.centre, h);
        star.template run<batch>(h);
        star.op.narrow(h, star.centre);
    }
}
/// One by one, the centre loaded and stored once.
template <EdgeOperator Op>
void run_star(const EdgeView& edges, const Op& op, EdgeId begin, EdgeId end, const Place& place) {
    const auto run = [&](auto& row, auto& col, EdgeId e) {
        op.apply(row, col, edges.value[e], Place{e, place.round, place.task});
    };
    if (is_of_row(edges, begin, end)) {
        auto row = op.load_row(edges.row[begin]);
        for (EdgeId e = begin; e < end; ++e) {
            auto col = op.load_col(edges.col[e]);
            run(row, col, e);
            op.store_col(edges.col[e], col);
        }
        op.store_row(edges.row[begin], row);
    } else {
        auto col = op.load_col(edges.col[begin]);
        for (EdgeId e = begin; e < end; ++e) {
            auto row = op.load_row(edges.row[e]);
            run(row, col, e);
            op.store_row(edges.row[e], row);
        }
        op.store_col(edges.col[begin], col);
    }
}

/// The star that the GPU gives warps of its own. A function apart: inlined, it would make the others slower.
template <AffineOperator Op>
[[gnu::noinline]] void run_long_star(const EdgeView& edges, const Op& op, EdgeId begin, EdgeId end) {
    const Star<Op> star{edges, op, begin, end};
    if constexpr (StarMap<Op>::used) {
        run_mapped<Op>(star);
    } else {
        run_star<4>(star);
    }
}

template <EdgeOperator Op>
EdgeId run_tiles(const EdgeView& edges, const TiledPlan& plan, const Op& op, const TileRange& range,
                 int threads) {
    const auto run_tile = [&](EdgeId phase, EdgeId col_block) {
        EdgeId done = 0;
        const EdgeId tile = phase * plan.grid.all_item_blocks() + col_block;
        const EdgeId first_end =
            plan.step_tasks[std::min(plan.tile_steps[tile] + 1, plan.tile_steps[tile + 1])];
        for (EdgeId task = plan.first_task(tile); task < plan.first_task(tile + 1); ++task) {
            const EdgeId begin = plan.task_offsets[task], end = plan.task_offsets[task + 1];
            if (begin == end) continue;  // all its edges are held out
            done += end - begin;
            if constexpr (AffineOperator<Op>) {
                const Star<Op> star{edges, op, begin, end};
                if (end - begin > EdgeId{long_star} && task < first_end && !star.of_row &&
                    edges.col[begin] == plan.col_order[plan.col_parts[col_block]]) {
                    run_long_star(edges, op, begin, end);
                } else {
                    run_star<2>(star);
                }
            } else {
                run_star(edges, op, begin, end, Place{begin, plan.first_round + phase, tile});
            }
        }
        return done;
    };
    TileTurns turns(plan.grid, range, threads);
    EdgeId updates = 0;
#pragma omp parallel num_threads(threads) reduction(+ : updates)
    turns.work([&](EdgeId phase, EdgeId col_block) { updates += run_tile(phase, col_block); });
    return updates;
}
template <EdgeOperator Op>
SweepCounts sweep_tiles(const EdgeView& edges, const TiledPlan& plan, const Op& op, int threads) {
    return {run_tiles(edges, plan, op, TileRange{0, plan.grid.groups, 0, plan.grid.groups}, threads), 1};
}

template <EdgeOperator Op>
SweepCounts sweep(const EdgeList& edges, const TiledPlan& plan, const Op& op, Locks&, int threads) {
    if (!plan.turned) return sweep_tiles(plan.walked(edges), plan, op, threads);
    return sweep_tiles(plan.walked(edges), plan, turned(op), threads);
}

}  // namespace lockstep::cpu
