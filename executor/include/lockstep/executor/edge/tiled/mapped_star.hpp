// A long star on the CPU: segment after segment by its affine map (star.hpp, StarMap).
#pragma once

#include <algorithm>

#include "lockstep/executor/edge/tiled/star.hpp"
#include "lockstep/executor/edge/update.hpp"

namespace lockstep::cpu {

/// The arithmetic of a segment, for any compiler and processor. An operator may have its own, to the same
/// bits: its `SegmentMap`.
template <class Op>
class SegmentMap {
    using Map = StarMap<Op>;
    static constexpr int K = Map::K, B = Map::segment;

public:
    explicit SegmentMap(const Op& op) : op_(op) { Map::find_powers(op.keep, power_); }

    /// The first `edges` leaves w and the centre h become what they are behind the segment; leaves and
    /// ratings of missing edges are 0.
    void run(float (&w)[B][K], const float (&rating)[B], int edges, float (&h)[K]) {
        find_map(w, rating);
        find_steps(h);
        float next[K];
        advance(w, edges, h, next);
        update_leaves(w, edges, h);
        std::copy_n(next, K, h);
    }

private:
    /// The products of leaf j with all of them: Lanes::sum's tree for each, side by side.
    void find_products(const float (&leaf)[K]) {
        constexpr int lanes = Op::Lanes::lanes;
        static_assert(K == 4 * lanes);
        float part[lanes][B];
        for (int l = 0; l < lanes; ++l) {
            const float(*const other)[B] = across_ + 4 * l;
            const float* const w = leaf + 4 * l;
            for (int m = 0; m < B; ++m) {
                const float even = fused_multiply_add(w[1], other[1][m], multiply(w[0], other[0][m])),
                            odd = fused_multiply_add(w[3], other[3][m], multiply(w[2], other[2][m]));
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
    void find_map(const float (&w)[B][K], const float (&rating)[B]) {
        for (int m = 0; m < B; ++m) {
            for (int i = 0; i < K; ++i) across_[i][m] = w[m][i];
        }
        for (int j = 0; j < B; ++j) {
            if (!op_.relaxed) find_products(w[j]);
            float v[K],
                c = Map::source(op_, 1, rating[j]);  // in registers, where v_ would be stored each time
            for (int i = 0; i < K; ++i) v[i] = Map::source(op_, power_[j], w[j][i]);
            for (int m = 0; m < j && !op_.relaxed; ++m) {
                const float t = Map::coupling(op_, power_[j - 1 - m], product_[m]);
                for (int i = 0; i < K; ++i) v[i] = fused_multiply_add(-t, v_[m][i], v[i]);
                c = fused_multiply_add(-t, c_[m], c);
            }
            std::copy_n(v, K, v_[j]);
            c_[j] = c;
        }
    }
    void find_steps(const float (&h)[K]) {
        for (int j = 0; j < B; ++j) {
            float sum[Map::parts];
            for (int n = 0; n < Map::parts; ++n) {
                sum[n] = Map::part_product(reinterpret_cast<const float(&)[Map::part]>(v_[j][n * Map::part]),
                                           reinterpret_cast<const float(&)[Map::part]>(h[n * Map::part]));
            }
            for (int width = 1; width < Map::parts; width *= 2) {
                for (int n = 0; n < Map::parts; n += 2 * width) sum[n] = add(sum[n], sum[n + width]);
            }
            step_[j] = add(c_[j], -sum[0]);
        }
    }
    void advance(const float (&w)[B][K], int edges, const float (&h)[K], float (&next)[K]) const {
        float scaled[B], sum[4][K];
        for (int j = 0; j < B; ++j) scaled[j] = multiply(power_[std::max(edges - 1 - j, 0)], step_[j]);
        for (int j = 0; j < B; ++j) {
            for (int i = 0; i < K; ++i) sum[j % 4][i] = Map::add_step(j, sum[j % 4][i], scaled[j], w[j][i]);
        }
        for (int i = 0; i < K; ++i)
            next[i] = Map::next_centre(power_[edges], h[i], {sum[0][i], sum[1][i], sum[2][i], sum[3][i]});
    }
    void update_leaves(float (&w)[B][K], int edges, float (&h)[K]) const {
        for (int j = 0; j < edges; ++j) {
            for (int i = 0; i < K; ++i) {
                const float leaf = w[j][i];
                w[j][i] = fused_multiply_add(step_[j], h[i], multiply(op_.keep, leaf));
                h[i] = fused_multiply_add(step_[j], leaf, multiply(op_.keep, h[i]));
            }
        }
    }

    const Op op_;
    alignas(32) float power_[B + 1], v_[B][K], c_[B], step_[B], across_[K][B], product_[B];
};

/// The operator's own map of a segment where it has one.
template <class Op>
struct MapOf {
    using type = SegmentMap<Op>;
};
template <class Op>
requires requires { typename Op::SegmentMap; }
struct MapOf<Op> {
    using type = typename Op::SegmentMap;
};

/// Runs a star, each segment's vectors copied into arrays. No vertex is twice a leaf of a star.
template <class Op, class Star>
void run_mapped(const Star& star) {
    using Map = StarMap<Op>;
    constexpr int K = Map::K, B = Map::segment;
    alignas(32) float h[K], w[B][K], rating[B];
    const Op& op = star.op;
    typename MapOf<Op>::type map(op);
    op.widen(star.centre, h);
    for (EdgeId first = star.begin; first < star.end; first += B) {
        const int edges = static_cast<int>(std::min<EdgeId>(B, star.end - first));
        for (int j = 0; j < edges; ++j) {
            const EdgeId e = first + static_cast<EdgeId>(j);
            fetch_ahead(star.edges, op, e);
            op.widen(star.leaf(e), w[j]);
            rating[j] = star.edges.value[e];
        }
        for (int j = edges; j < B; ++j) {
            std::fill_n(w[j], K, 0.0F);
            rating[j] = 0;
        }
        map.run(w, rating, edges, h);
        for (int j = 0; j < edges; ++j) op.narrow(w[j], star.leaf(first + static_cast<EdgeId>(j)));
    }
    op.narrow(h, star.centre);
}

}  // namespace lockstep::cpu
