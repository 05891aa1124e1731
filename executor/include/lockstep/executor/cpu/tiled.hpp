// The tiled traversal on the CPU: threads draw tiles phase after phase (tile_turns.hpp) and run a tile's
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
    typename Op::Element* leaves = of_user ? op.col_factors : op.row_factors;
    typename Op::Element* centres = of_user ? op.row_factors : op.col_factors;
    VertexId centre = of_user ? plan.row[begin] : plan.col[begin];

    /// Whether `item` is the centre.
    bool has_item(VertexId item) const { return !of_user && centre == item; }
    /// Edges [first, last), from the centre `h` on, single precision, which becomes what it is after them.
    void run(float* h, EdgeId first, EdgeId last) const {
        if constexpr (requires { op.run_pair(h, leaves, leaves, 0.0F, 0.0F); }) {
            const auto leaf = [&](EdgeId e) { return leaves + op.offset_of(place[e]); };
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
    if constexpr (std::is_same_v<typename Op::Element, float>) {
        star.run(star.centres + star.op.offset_of(star.centre), star.begin, star.end);
    } else {
        float h[4 * Op::Lanes::lanes * Op::chunks_per_lane];
        star.op.components(star.centres, star.centre, h);
        star.run(h, star.begin, star.end);
        star.op.put_components(star.centres, star.centre, h);
    }
}

/// The same by segments (star.hpp, StarMap), each segment's vectors copied into arrays.
template <StarOperator Op>
class MappedStar {
    using Map = StarMap<Op>;
    static constexpr int K = Map::K, B = Map::segment;

public:
    explicit MappedStar(const Star<Op>& star) : star_(star), op_(star.op) {
        Map::find_powers(op_.keep, power_);
    }

    void run() {
        op_.components(star_.centres, star_.centre, h_);
        for (EdgeId first = star_.begin; first < star_.end; first += B) {
            edges_ = static_cast<int>(std::min<EdgeId>(B, star_.end - first));
            for (int j = 0; j < B; ++j) {
                if (j < edges_) {
                    op_.components(star_.leaves, star_.place[first + static_cast<EdgeId>(j)], w_[j]);
                } else {
                    std::fill_n(w_[j], K, 0.0F);
                }
                rating_[j] = j < edges_ ? star_.plan.value[first + static_cast<EdgeId>(j)] : 0;
            }
            find_map();
            find_steps();
            update_leaves(first);
            advance();
        }
        op_.put_components(star_.centres, star_.centre, h_);
    }

private:
    /// The products of leaf j with all of them: Lanes::sum's tree for each, side by side.
    void find_products(int j) {
        constexpr int lanes = Op::Lanes::lanes;
        static_assert(K == 4 * lanes);
        float part[lanes][B];
        for (int l = 0; l < lanes; ++l) {
            const float(*const leaf)[B] = across_ + 4 * l;
            const float* const w = w_[j] + 4 * l;
            for (int m = 0; m < B; ++m) {
                const float even = fused_multiply_add(w[1], leaf[1][m], multiply(w[0], leaf[0][m])),
                            odd = fused_multiply_add(w[3], leaf[3][m], multiply(w[2], leaf[2][m]));
                part[l][m] = add(even, odd);
            }
        }
        for (int width = lanes / 2; width > 0; width /= 2) {
            for (int l = 0; l < width; ++l) {
                for (int m = 0; m < B; ++m) part[l][m] = add(part[l][m], part[l + width][m]);
            }
        }
        std::copy_n(part[0], B, product_);
    }

    /// V and c.
    void find_map() {
        for (int m = 0; m < B; ++m) {
            for (int i = 0; i < K; ++i) across_[i][m] = w_[m][i];
        }
        for (int j = 0; j < B; ++j) {
            find_products(j);
            float v[K],
                c = Map::source(op_, 1, rating_[j]);  // in registers, where v_ would be stored each time
            for (int i = 0; i < K; ++i) v[i] = Map::source(op_, power_[j], w_[j][i]);
            for (int m = 0; m < j; ++m) {
                const float t = Map::coupling(op_, power_[j - 1 - m], product_[m]);
                for (int i = 0; i < K; ++i) v[i] = fused_multiply_add(-t, v_[m][i], v[i]);
                c = fused_multiply_add(-t, c_[m], c);
            }
            std::copy_n(v, K, v_[j]);
            c_[j] = c;
        }
    }
    void find_steps() {
        for (int j = 0; j < B; ++j) {
            float sum[Map::parts];
            for (int n = 0; n < Map::parts; ++n) {
                sum[n] = Map::part_product(reinterpret_cast<const float(&)[Map::part]>(v_[j][n * Map::part]),
                                           reinterpret_cast<const float(&)[Map::part]>(h_[n * Map::part]));
            }
            for (int width = 1; width < Map::parts; width *= 2) {
                for (int n = 0; n < Map::parts; n += 2 * width) sum[n] = add(sum[n], sum[n + width]);
            }
            step_[j] = add(c_[j], -sum[0]);
        }
    }
    void update_leaves(EdgeId first) {
        float h[K];
        std::copy_n(h_, K, h);
        for (int j = 0; j < edges_; ++j) {
            float w[K];
            for (int i = 0; i < K; ++i) {
                w[i] = fused_multiply_add(step_[j], h[i], multiply(op_.keep, w_[j][i]));
                h[i] = fused_multiply_add(step_[j], w_[j][i], multiply(op_.keep, h[i]));
            }
            op_.put_components(star_.leaves, star_.place[first + static_cast<EdgeId>(j)], w);
        }
    }
    void advance() {
        float scaled[B], sum[4][K];
        for (int j = 0; j < B; ++j) scaled[j] = multiply(power_[std::max(edges_ - 1 - j, 0)], step_[j]);
        for (int j = 0; j < B; ++j) {
            for (int i = 0; i < K; ++i) sum[j % 4][i] = Map::add_step(j, sum[j % 4][i], scaled[j], w_[j][i]);
        }
        for (int i = 0; i < K; ++i)
            h_[i] = Map::next_centre(power_[edges_], h_[i], {sum[0][i], sum[1][i], sum[2][i], sum[3][i]});
    }

    const Star<Op>& star_;
    const Op& op_;
    int edges_ = 0;  // of the segment
    alignas(32) float power_[B + 1], h_[K], w_[B][K], rating_[B], v_[B][K], c_[B], step_[B], across_[K][B],
        product_[B];
};

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
                    if (end - begin > EdgeId{long_star} && task < first_end &&
                        star.has_item(plan.col_order[plan.col_parts[item_block]])) {
                        MappedStar<Op>(star).run();
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
