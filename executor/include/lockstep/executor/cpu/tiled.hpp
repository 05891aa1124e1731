// The tiled traversal on the CPU: a thread a tile, its stars one after another. Long stars run by the very
// batches of the GPU (star.hpp), so the bits are the same.
#pragma once

#include <omp.h>

#include <atomic>
#include <cmath>
#include <vector>

#include "lockstep/executor/cpu/barrier.hpp"
#include "lockstep/executor/operator.hpp"
#include "lockstep/executor/plan.hpp"
#include "lockstep/executor/star.hpp"

namespace lockstep::cpu {

/// An operator whose stars can run in batches: affine in the centre, equal at both ends.
template <class Op>
concept StarOperator = requires(const Op op) {
    Op::chunks_per_lane;
    op.keep, op.floor;
};

/// A star of more than long_star<Op> edges: solve, advance and replay, batch after batch.
template <StarOperator Op>
void run_long_star(const Plan& plan, const Op& op, const Powers<star_batch<Op>>& powers, EdgeId begin,
                   EdgeId end) {
    constexpr int B = star_batch<Op>;
    using Team = HostTeam<Op::Lanes::lanes>;
    const bool user_star = plan.row[begin] == plan.row[begin + 1];
    const VertexId* const place = user_star ? plan.col.data() : plan.row.data();
    float* const leaves = user_star ? op.col_factors : op.row_factors;
    float* const centres = user_star ? op.row_factors : op.col_factors;
    const VertexId centre_place = user_star ? plan.row[begin] : plan.col[begin];

    typename Op::Row centre[Team::held];
    for (auto& copy : centre) copy = op.take(centres, centre_place);
    StarSystem<B> system{};
    std::vector<float> directions(B * op.on_chip_offset(1));
    for (EdgeId e = begin; e < end; e += B) {
        const int size = static_cast<int>(std::min<EdgeId>(B, end - e));
        const StarBatch<Op, Team, VertexId> batch{op, powers, leaves, place + e, plan.value.data() + e, size};
        auto replayed = centre[0];
        batch.solve(system, directions.data());
        batch.advance(batch.link(directions.data()), system, centre);
        batch.find_steps(system);
        for (int j = 0; j < size; ++j) {
            auto leaf = op.take(leaves, place[e + j]);
            op.update(leaf, replayed, system.step[j]);
            op.put(leaves, place[e + j], leaf);
        }
    }
    op.put(centres, centre_place, centre[0]);
}

/// The edges of one task in order.
template <EdgeOperator Op>
void run_star(const Plan& plan, const Op& op, EdgeId begin, EdgeId end, EdgeId phase, EdgeId task) {
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
    const EdgeId phases = plan.phase_tiles.size() - 1;
    std::vector<std::atomic<EdgeId>> next(phases);
    for (EdgeId p = 0; p < phases; ++p)
        next[p] = plan.phase_tiles[p];  // a phase's tiles are drawn one by one
    const auto run_tasks_of = [&](EdgeId tile, EdgeId phase, auto run) {
        const EdgeId last = plan.step_tasks[plan.tile_steps[tile + 1]];
        for (EdgeId task = plan.step_tasks[plan.tile_steps[tile]]; task < last; ++task)
            run(plan.task_offsets[task], plan.task_offsets[task + 1], phase, tile);
    };
    Barrier barrier;
#pragma omp parallel num_threads(threads)
    for (EdgeId p = 0; p < phases; ++p) {
        for (EdgeId tile;
             (tile = next[p].fetch_add(1, std::memory_order_relaxed)) < plan.phase_tiles[p + 1];) {
            if constexpr (StarOperator<Op>) {
                Powers<star_batch<Op>> powers;
                powers.set(op.keep);
                const bool batches = std::isinf(op.floor);  // clipping is not affine
                run_tasks_of(tile, p, [&](EdgeId begin, EdgeId end, EdgeId phase, EdgeId task) {
                    if (batches && end - begin > static_cast<EdgeId>(long_star<Op>)) {
                        run_long_star(plan, op, powers, begin, end);
                    } else {
                        run_star(plan, op, begin, end, phase, task);
                    }
                });
            } else {
                run_tasks_of(tile, p, [&](EdgeId begin, EdgeId end, EdgeId phase, EdgeId task) {
                    run_star(plan, op, begin, end, phase, task);
                });
            }
        }
        barrier.arrive_and_wait(omp_get_num_threads());
    }
}

}  // namespace lockstep::cpu
