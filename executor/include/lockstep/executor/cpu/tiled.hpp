// The tiled traversal on the CPU: a thread takes a user block from tile to tile (tile_turns.hpp), a tile's
// stars one after another, by the very arithmetic of the GPU (star.hpp), so the bits are the same.
#pragma once

#include <algorithm>

#include "lockstep/executor/cpu/tile_turns.hpp"
#include "lockstep/executor/operator.hpp"
#include "lockstep/executor/plan.hpp"
#include "lockstep/executor/star.hpp"

namespace lockstep::cpu {

/// An operator whose edges of a star can run together: affine in the centre, so it does not clip, and equal
/// at both ends.
template <class Op>
concept StarOperator = requires(const Op op) {
    op.rate, op.keep;
    Op::chunks_per_lane;
    requires !Op::clips;
};

/// A star of a plan: where its vectors are.
template <StarOperator Op>
struct Star {
    const Plan& plan;
    const Op& op;
    EdgeId begin, end;
    bool of_user = end - begin > 1 && plan.row[begin] == plan.row[begin + 1];
    const VertexId* place = of_user ? plan.col.data() : plan.row.data();
    float* leaves = of_user ? op.col_factors : op.row_factors;
    float* centres = of_user ? op.row_factors : op.col_factors;
    VertexId centre = of_user ? plan.row[begin] : plan.col[begin];

    /// Whether `item` is the centre.
    bool has_item(VertexId item) const { return !of_user && centre == item; }
    /// Edges [first, last), from the centre `h` on, which becomes what it is after them.
    void run(float* h, EdgeId first, EdgeId last) const {
        if constexpr (requires { op.run_pair(h, h, h, 0.0F, 0.0F); }) {
            const auto leaf = [&](EdgeId e) { return leaves + op.on_chip_offset(place[e]); };
            EdgeId e = first;
            for (; e + 1 < last; e += 2)
                op.run_pair(h, leaf(e), leaf(e + 1), plan.value[e], plan.value[e + 1]);
            if (e < last) op.run_edge(leaf(e), h, plan.value[e]);
        } else {
            auto vector = op.take(h, 0);
            for (EdgeId e = first; e < last; e += 2) {
                const EdgeId second = std::min(e + 1, last - 1);
                const bool both = second > e;
                typename Op::Row leaf[2] = {op.take(leaves, place[e]), op.take(leaves, place[second])};
                run_star_pair<true>(op, vector, leaf, {plan.value[e], plan.value[second]}, both);
                op.put(leaves, place[e], leaf[0]);
                if (both) op.put(leaves, place[second], leaf[1]);
            }
            op.put(h, 0, vector);
        }
    }
};

/// All edges of a star in order.
template <StarOperator Op>
void run_star(const Star<Op>& star) {
    star.run(star.centres + star.op.on_chip_offset(star.centre), star.begin, star.end);
}

/// The same by segments.
template <StarOperator Op>
void run_mapped_star(const Star<Op>& star) {
    using Map = StarMap<Op>;
    constexpr int K = Map::K;
    constexpr float none[K]{};  // ratings
    const Op& op = star.op;
    const auto floats = [&](const float* vectors, VertexId v, float(&to)[K]) {
        const auto stride = static_cast<std::size_t>(op.chunks) * 4;
        std::fill(std::copy_n(vectors + v * stride, stride, to), to + K, 0.0F);
    };
    float h[K];
    floats(star.centres, star.centre, h);
    for (EdgeId first = star.begin; first < star.end; first += Map::segment) {
        const EdgeId last = std::min(first + Map::segment, star.end);
        float x[K][K]{}, c[K][1]{};
        for (int i = 0; i < K; ++i) x[i][i] = 1;
        for (EdgeId e = first; e < last; ++e) {
            float w[K];
            floats(star.leaves, star.place[e], w);
            if constexpr (requires { op.meet(x, w); }) {
                op.meet(x, w);
            } else {
                Map::meet(op, x, w, none);
            }
            Map::meet(op, c, w, {star.plan.value[e]});
        }
        float centre[K];
        std::copy_n(h, K, centre);
        star.run(centre, first, last);
        float next[K];
        for (int i = 0; i < K; ++i) {
            float part[2];
            for (int n = 0; n < 2; ++n) {
                float a[K / 2], half[K / 2];
                for (int j = 0; j < K / 2; ++j) a[j] = x[i][n * K / 2 + j], half[j] = h[n * K / 2 + j];
                part[n] = Map::half(a, half);
            }
            next[i] = add(add(part[0], part[1]), c[i][0]);
        }
        std::copy_n(next, K, h);
    }
    op.put(star.centres, star.centre, op.take(h, 0));
}

/// A task of any operator, one by one.
template <EdgeOperator Op>
void run_task(const Plan& plan, const Op& op, EdgeId begin, EdgeId end, EdgeId phase, EdgeId task) {
    for (EdgeId e = begin; e < end; ++e) {
        auto row = op.load_row(plan.row[e]);
        auto col = op.load_col(plan.col[e]);
        op.apply(row, col, plan.value[e], Place{e, phase, task});
        op.store_row(plan.row[e], row);
        op.store_col(plan.col[e], col);
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
                if constexpr (StarMap<Op>::used) {  // the star that the GPU gives warps of its own
                    if (end - begin > EdgeId{StarMap<Op>::longer_than} && task < first_end &&
                        star.has_item(plan.col_order[plan.col_parts[item_block]])) {
                        run_mapped_star(star);
                        continue;
                    }
                }
                run_star(star);
            } else {
                run_task(plan, op, begin, end, phase, tile);
            }
        }
    };
    TileTurns turns(plan.grid);
#pragma omp parallel num_threads(threads)
    turns.work(run_tile);
}

}  // namespace lockstep::cpu
