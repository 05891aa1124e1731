// The arithmetic of stars, once for all: on the numbers themselves, or on packs of them, for which multiply,
// add, fused_multiply_add and subtract_product are (lanes.hpp, pack.hpp). CPU and GPU agree to the bit.
//
// A star's centre h meets the leaves w_0, w_1, … with h <- keep h + rate e_j w_j, e_j = r_j - w_j h. One by
// one each dot product waits for the one before. Of edges together, all products with the centre are those
// with the one that the first of them finds, and the products of the leaves need no centre. These are the
// sequential updates up to rounding, in one fixed order of operations.
#pragma once

#include <algorithm>

#include "lockstep/executor/edge/on_chip.hpp"

namespace lockstep {

/// c - a b, rounded once.
LOCKSTEP_HD float subtract_product(float a, float b, float c) { return fused_multiply_add(-a, b, c); }

/// A component of both ends after an edge.
template <class P>
LOCKSTEP_HD void update_ends(P step, P keep, P& x, P& y) {
    const P old = x;
    x = fused_multiply_add(step, y, multiply(keep, x));
    y = fused_multiply_add(step, old, multiply(keep, y));
}

/// n edges of a star together, 4 at most:
///
///     e_j = r_j - keep^j w_j h - sum over m < j of keep^(j-1-m) (w_j w_m) rate e_m
template <int n>
struct StarEdges {
    static constexpr int products = std::max(n * (n - 1) / 2, 1);  ///< of leaves: 1 by 0, 2 by 0 and 1, …
    LOCKSTEP_HD static constexpr int place(int j, int m) { return j * (j - 1) / 2 + m; }

    /// The products of leaves with what of the centre they take; the sums are the [.][0].
    template <int held>
    LOCKSTEP_HD static void find_couplings(float keep, const float (*product)[held], float* coupling) {
        LOCKSTEP_UNROLL
        for (int j = 1; j < n; ++j) {
            LOCKSTEP_UNROLL
            for (int m = 0; m < j; ++m) {
                const float own = product[place(j, m)][0];
                coupling[place(j, m)] = j - 1 == m ? own : multiply(power(keep, j - 1 - m), own);
            }
        }
    }
    /// rate x error of each edge, from the products with the centre before all of them.
    template <int held>
    LOCKSTEP_HD static void find_steps(float rate, float keep, const float (*product)[held],
                                       const float* coupling, const float (&rating)[n], float (&step)[n]) {
        LOCKSTEP_UNROLL
        for (int j = 0; j < n; ++j) {
            float error = j == 0 ? add(rating[0], -product[0][0])
                                 : subtract_product(power(keep, j), product[j][0], rating[j]);
            LOCKSTEP_UNROLL
            for (int m = 0; m < j; ++m) error = subtract_product(coupling[place(j, m)], step[m], error);
            step[j] = multiply(rate, error);
        }
    }
    /// Each held lane's part of the products of leaves.
    template <class Op>
    LOCKSTEP_HD static void multiply_leaves(const typename Op::Row (&leaf)[n],
                                            float (*product)[Op::Lanes::held]) {
        LOCKSTEP_UNROLL
        for (int j = 1; j < n; ++j) {
            LOCKSTEP_UNROLL
            for (int m = 0; m < j; ++m) Op::partial_dot(leaf[j], leaf[m], product[place(j, m)]);
        }
    }
    /// The leaves and the centre become what they are after the first `edges`. Where the
    /// operator is not affine an edge waits for the update before.
    template <class Op>
    LOCKSTEP_HD static void run(const Op& op, typename Op::Row& centre, typename Op::Row (&leaf)[n],
                                const float (&rating)[n], int edges) {
        [[maybe_unused]] float step[n];
        if constexpr (Op::affine) {
            float product[n + products][Op::Lanes::held], coupling[products];
            LOCKSTEP_UNROLL
            for (int j = 0; j < n; ++j) Op::partial_dot(leaf[j], centre, product[j]);
            multiply_leaves<Op>(leaf, product + n);
            Op::Lanes::sum_each(product);
            find_couplings(op.keep, product + n, coupling);
            find_steps(op.rate, op.keep, product, coupling, rating, step);
        }
        LOCKSTEP_UNROLL
        for (int j = 0; j < n; ++j) {
            const typename Op::Row before = centre;
            if constexpr (Op::affine) {
                op.update(leaf[j], centre, step[j]);
            } else if (Op::Lanes::lanes > 1 || j < edges) {  // lanes go on together
                op.apply(leaf[j], centre, rating[j], Place{});
            }
            if (j > 0 && j >= edges) centre = before;
        }
    }

private:
    LOCKSTEP_HD static float power(float keep, int exponent) {
        const float square = multiply(keep, keep);
        return exponent == 1 ? keep : exponent == 2 ? square : multiply(square, keep);
    }
};

/// Edges that a long star has more than.
inline constexpr int long_star = 32;

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
/// With their steps known all segments' edges are updated at once. Missing edges of the last segment are
/// edges with a leaf and a rating of 0.
template <class Op>
struct StarMap {
    static constexpr int K = Op::components;
    /// Other long stars run four edges at a time. Both ways stay: at ranks 16, 32 and 64 maps make a GPU 1.5,
    /// 1.4 and 1.06 times as fast; at rank 128 they cost it a sixth of its rate, and a CPU two fifths
    /// (docs/research/experiments.md).
    static constexpr bool used = Op::affine && K >= 16 && K < 128;
    static constexpr int segment = 16;                            ///< edges of one
    static constexpr int parts = 32 / segment, part = K / parts;  ///< of a product with the centre

    /// keep^0 ... keep^segment
    LOCKSTEP_HD static void find_powers(float keep, float* powers) {
        powers[0] = 1;
        for (int i = 0; i < segment; ++i) powers[i + 1] = multiply(keep, powers[i]);
    }
    /// Four components' part of the product of two leaves.
    template <class X, class Y>
    LOCKSTEP_HD static auto chunk_product(const X& x, const Y& y) {
        return add(fused_multiply_add(x(1), y(1), multiply(x(0), y(0))),
                   fused_multiply_add(x(3), y(3), multiply(x(2), y(2))));
    }
    /// The sum of what of(chunk) gives of each chunk of four, by the tree of Lanes::sum.
    template <int first = 0, int apart = 1, class Of>
    LOCKSTEP_HD static auto sum_chunks(const Of& of) {
        if constexpr (apart == K / 4) {
            return of(first);
        } else {
            return add(sum_chunks<first, 2 * apart>(of), sum_chunks<first + apart, 2 * apart>(of));
        }
    }
    /// t_jm of w_j w_m, with the rate and the power that it takes.
    template <class P>
    LOCKSTEP_HD static P coupling(P rate, P power, P product) {
        return multiply(power, multiply(rate, product));
    }
    /// What a component of w_j, or r_j (power 1), adds to V, or to c.
    template <class P>
    LOCKSTEP_HD static P source(P rate_power, P x) {
        return multiply(rate_power, x);
    }
    /// What edge e adds to a component of the centre, in the sum of those whose number is e modulo 4; then
    /// the component behind the segment.
    template <class P>
    LOCKSTEP_HD static void add_step(int e, P (&sum)[4], P scaled_step, P w) {
        sum[e % 4] = e < 4 ? multiply(scaled_step, w) : fused_multiply_add(scaled_step, w, sum[e % 4]);
    }
    template <class P>
    LOCKSTEP_HD static P next_centre(P power, P h, const P (&sum)[4]) {
        return fused_multiply_add(power, h, add(add(sum[0], sum[1]), add(sum[2], sum[3])));
    }
};

}  // namespace lockstep
