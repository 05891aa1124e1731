// The tiled traversal on the CPU: threads draw tiles phase after phase (tile_turns.hpp) and run a tile's
// stars one after another, by the very arithmetic of the GPU (star.hpp), so the bits are the same.
#pragma once

#include <algorithm>

#include "lockstep/executor/cpu/edges.hpp"
#include "lockstep/executor/cpu/mapped_star.hpp"
#include "lockstep/executor/cpu/tile_turns.hpp"
#include "lockstep/executor/operator.hpp"
#include "lockstep/executor/plan.hpp"
#include "lockstep/executor/star.hpp"

namespace lockstep::cpu {

/// An operator that is the same at both ends, so that a star's centre may be either; where it does not clip
/// it is affine in the centre, and the edges of a star can run together.
template <class Op>
concept StarOperator = requires(const Op op) {
    op.rate, op.keep;
    Op::chunks_per_lane, Op::clips;
};

/// A star of a plan: where its vectors are.
template <StarOperator Op>
struct Star {
    const Plan& plan;
    const Op& op;
    EdgeId begin, end;
    bool of_user = end - begin > 1 && plan.row[begin] == plan.row[begin + 1];
    const VertexId* place = of_user ? plan.col.data() : plan.row.data();
    typename Op::Element* leaves = of_user ? op.col_factors : op.row_factors;
    typename Op::Element* centres = of_user ? op.row_factors : op.col_factors;
    VertexId centre = of_user ? plan.row[begin] : plan.col[begin];

    /// Whether `item` is the centre.
    bool has_item(VertexId item) const { return !of_user && centre == item; }
    /// All its edges in order, from the centre `h` on, single precision, which becomes what it is after them:
    /// two at a time, or four of a long star.
    template <int batch>
    void run(float* h) const {
        const auto leaf = [&](EdgeId i) {
            fetch_ahead(plan, op, begin + i);
            return leaves + op.offset_of(place[begin + i]);
        };
        const auto rating = [&](EdgeId i) { return plan.value[begin + i]; };
        if constexpr (requires { op.template run_star<batch>(h, EdgeId{}, leaf, rating); }) {
            op.template run_star<batch>(h, end - begin, leaf, rating);
        } else {
            auto vector = op.take(h, 0);
            for (EdgeId e = begin; e < end; e += batch) {
                const int edges = static_cast<int>(std::min<EdgeId>(batch, end - e));
                typename Op::Row some[batch];
                float ratings[batch];
                for (int j = 0; j < batch; ++j) {
                    const EdgeId edge = e + static_cast<EdgeId>(std::min(j, edges - 1));
                    some[j] = op.take(leaves, place[edge]), ratings[j] = plan.value[edge];
                }
                if constexpr (batch == 4) {
                    StarFours<Op>::run(op, vector, some, ratings, edges);
                } else {
                    run_star_pair<!Op::clips>(op, vector, some, ratings, edges > 1);
                }
                for (int j = 0; j < edges; ++j) op.put(leaves, place[e + static_cast<EdgeId>(j)], some[j]);
            }
            op.put(h, 0, vector);
        }
    }
};

/// All edges of a star in order.
template <int batch, StarOperator Op>
void run_star(const Star<Op>& star) {
    if constexpr (std::is_same_v<typename Op::Element, float>) {
        star.template run<batch>(star.centres + star.op.offset_of(star.centre));
    } else {
        float h[4 * Op::Lanes::lanes * Op::chunks_per_lane];
        star.op.components(star.centres, star.centre, h);
        star.template run<batch>(h);
        star.op.put_components(star.centres, star.centre, h);
    }
}

/// The star that the GPU gives warps of its own. A function apart: inlined, it would make the others slower.
template <StarOperator Op>
[[gnu::noinline]] void run_long_star(const Plan& plan, const Op& op, EdgeId begin, EdgeId end) {
    const Star<Op> star{plan, op, begin, end};
    if constexpr (StarMap<Op>::used) {
        run_mapped<Op>(star);
    } else {
        run_star<4>(star);
    }
}

/// phase ⊃ tile ⊃ step ⊃ task ⊃ edge.
template <EdgeOperator Op>
void run_tiles(const Plan& plan, const Op& op, int threads) {
    const auto run_tile = [&](EdgeId phase, EdgeId item_block) {
        const EdgeId tile = phase * plan.grid.all_item_blocks() + item_block;
        const EdgeId first = plan.step_tasks[plan.tile_steps[tile]],
                     first_end =
                         plan.step_tasks[std::min(plan.tile_steps[tile] + 1, plan.tile_steps[tile + 1])],
                     last = plan.step_tasks[plan.tile_steps[tile + 1]];
        for (EdgeId task = first; task < last; ++task) {
            const EdgeId begin = plan.task_offsets[task], end = plan.task_offsets[task + 1];
            if (begin == end) continue;  // all its edges are held out
            if constexpr (StarOperator<Op>) {
                const Star<Op> star{plan, op, begin, end};
                if constexpr (!Op::clips) {
                    if (end - begin > EdgeId{long_star} && task < first_end &&
                        star.has_item(plan.col_order[plan.col_parts[item_block]])) {
                        run_long_star(plan, op, begin, end);
                        continue;
                    }
                }
                run_star<2>(star);
            } else {
                run_task(plan, op, begin, end, phase, tile);
            }
        }
    };
    TileTurns turns(plan.grid, threads);
#pragma omp parallel num_threads(threads)
    turns.work(run_tile);
}

}  // namespace lockstep::cpu
