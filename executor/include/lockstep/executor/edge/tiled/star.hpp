// The edges of a star in order, two at a time.
//
// A star's centre h meets the leaves w_0, w_1, … with h <- keep h + rate e_j w_j, e_j = r_j - w_j h. One by
// one each dot product waits for the one before. Of two edges together, both products with the centre are
// those with the one that the first of them finds:
//
//     e_0 = r_0 - w_0 h        e_1 = r_1 - keep w_1 h - (w_1 w_0) rate e_0
//
// and the product of the leaves needs no centre. These are the sequential updates up to rounding, in one
// fixed order of operations: CPU and GPU run this very code, so their bits agree.
#pragma once

#include "lockstep/executor/edge/on_chip.hpp"

namespace lockstep {

/// Two edges of a star: the leaves and the centre become what they are after both, or after the first alone.
/// Where the operator is not affine the second edge waits for the first update.
template <class Op>
LOCKSTEP_HD void run_star_pair(const Op& op, typename Op::Row& centre, typename Op::Row (&leaf)[2],
                               const float (&rating)[2], bool both) {
    typename Op::Row after;
    if constexpr (Op::affine) {
        float product[3][Op::Lanes::held];
        Op::partial_dot(leaf[0], centre, product[0]);
        Op::partial_dot(leaf[1], centre, product[1]);
        Op::partial_dot(leaf[1], leaf[0], product[2]);
        Op::Lanes::sum_each(product);
        const float step = multiply(op.rate, add(rating[0], -product[0][0]));
        const float error = fused_multiply_add(-op.keep, product[1][0], rating[1]);
        op.update(leaf[0], centre, step);
        after = centre;
        op.update(leaf[1], after, multiply(op.rate, fused_multiply_add(-product[2][0], step, error)));
    } else {
        op.apply(leaf[0], centre, rating[0], Place{});
        after = centre;
        op.apply(leaf[1], after, rating[1], Place{});
    }
    if (both) centre = after;
}

/// Edges that a long star has more than.
inline constexpr int long_star = 32;

/// Four edges of a long star likewise,
///
///     e_j = r_j - keep^j w_j h - sum over m < j of keep^(j-1-m) (w_j w_m) rate e_m
///
/// The products of the leaves need no centre, so that others can find them ahead.
template <class Op>
struct StarFours {
    using Vector = typename Op::Row;

    /// Products of leaf 1 by 0, 2 by 0 and 1, 3 by 0, 1 and 2, with the powers of keep that they take.
    LOCKSTEP_HD static void find_couplings(const Op& op, const Vector (&leaf)[4], float (&coupling)[6]) {
        float product[6][Op::Lanes::held];
        LOCKSTEP_UNROLL
        for (int j = 1; j < 4; ++j) {
            LOCKSTEP_UNROLL
            for (int m = 0; m < j; ++m) Op::partial_dot(leaf[j], leaf[m], product[place(j, m)]);
        }
        Op::Lanes::sum_each(product);
        LOCKSTEP_UNROLL
        for (int j = 1; j < 4; ++j) {
            LOCKSTEP_UNROLL
            for (int m = 0; m < j; ++m)
                coupling[place(j, m)] = multiply(power(op, j - 1 - m), product[place(j, m)][0]);
        }
    }
    /// rate x error of each edge, from the products with the centre before all of them.
    LOCKSTEP_HD static void find_steps(const Op& op, const float (&product)[4][Op::Lanes::held],
                                       const float (&coupling)[6], const float (&rating)[4],
                                       float (&step)[4]) {
        LOCKSTEP_UNROLL
        for (int j = 0; j < 4; ++j) {
            float error = fused_multiply_add(-power(op, j), product[j][0], rating[j]);
            LOCKSTEP_UNROLL
            for (int m = 0; m < j; ++m) error = fused_multiply_add(-coupling[place(j, m)], step[m], error);
            step[j] = multiply(op.rate, error);
        }
    }
    /// The leaves and the centre become what they are after the first `edges`.
    LOCKSTEP_HD static void run(const Op& op, Vector& centre, Vector (&leaf)[4], const float (&rating)[4],
                                int edges) {
        float product[4][Op::Lanes::held], coupling[6], step[4];
        find_couplings(op, leaf, coupling);
        for (int j = 0; j < 4; ++j) Op::partial_dot(leaf[j], centre, product[j]);
        Op::Lanes::sum_each(product);
        find_steps(op, product, coupling, rating, step);
        for (int j = 0; j < edges; ++j) op.update(leaf[j], centre, step[j]);
    }

private:
    LOCKSTEP_HD static constexpr int place(int j, int m) { return j * (j - 1) / 2 + m; }
    LOCKSTEP_HD static float power(const Op& op, int n) {
        const float square = multiply(op.keep, op.keep);
        return n == 0 ? 1 : n == 1 ? op.keep : n == 2 ? square : multiply(square, op.keep);
    }
};

/// A long star in segments, the chain through them apart from the work on their edges. With step_j = rate e_j
/// and h the centre before a segment of n edges,
///
///     step_j = rate r_j - rate keep^j w_j h - sum over m < j of t_jm step_m
///     t_jm   = rate keep^(j-1-m) w_j w_m
///
/// Solved for each column, the steps are affine in h: step = c - V h. V and c need no centre, so those of all
/// segments are found at once. The chain then takes the centre from segment to segment,
///
///     h <- keep^n h + sum over j of keep^(n-1-j) step_j w_j
///
/// and with their steps known all segments' edges are updated at once. Missing edges of the last segment are
/// edges with a leaf and a rating of 0.
///
/// Where the operator is `relaxed`, t = 0: every edge of a segment sees the centre that was there before it,
/// decayed only. That is no serial order any more; it is deterministic, and never more than a segment behind.
template <class Op>
struct StarMap {
    static constexpr int K = Op::components;
    /// Others run their long stars by fours: with maps above rank 64 a CPU is half as fast
    /// (docs/experiments/long-stars.md).
    static constexpr bool used = Op::affine && K >= 16 && K < 128;
    static constexpr int segment = 16;                            ///< edges of one
    static constexpr int parts = 32 / segment, part = K / parts;  ///< of a product with the centre

    /// keep^0 ... keep^segment
    LOCKSTEP_HD static void find_powers(float keep, float* powers) {
        powers[0] = 1;
        for (int i = 0; i < segment; ++i) powers[i + 1] = multiply(keep, powers[i]);
    }
    /// t_jm of w_j w_m, with the power that it takes.
    LOCKSTEP_HD static float coupling(const Op& op, float power, float product) {
        return multiply(power, multiply(op.rate, product));
    }
    /// What a component of w_j, or r_j (power 1), adds to V, or to c.
    LOCKSTEP_HD static float source(const Op& op, float power, float x) {
        return multiply(multiply(op.rate, power), x);
    }
    /// What edge e adds to a component of the centre, in the sum of those whose number is e modulo 4; then
    /// the component behind the segment.
    LOCKSTEP_HD static float add_step(int e, float sum, float scaled_step, float w) {
        return e < 4 ? multiply(scaled_step, w) : fused_multiply_add(scaled_step, w, sum);
    }
    LOCKSTEP_HD static float next_centre(float power, float h, const float (&sum)[4]) {
        return fused_multiply_add(power, h, add(add(sum[0], sum[1]), add(sum[2], sum[3])));
    }
    /// One part of a row of V times h.
    LOCKSTEP_HD static float part_product(const float (&v)[part], const float (&h)[part]) {
        float sum[4];
        LOCKSTEP_UNROLL
        for (int i = 0; i < part; ++i)
            sum[i % 4] = i < 4 ? multiply(v[i], h[i]) : fused_multiply_add(v[i], h[i], sum[i % 4]);
        return add(add(sum[0], sum[1]), add(sum[2], sum[3]));
    }
};

}  // namespace lockstep
