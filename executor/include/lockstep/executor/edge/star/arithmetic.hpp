// The arithmetic of stars, shared by all walks. It works on single numbers, or on packs of numbers for which
// multiply, add, fused_multiply_add and subtract_product are defined (lanes.hpp, pack.hpp). CPU and GPU
// results are bitwise identical.
//
// The centre h of a star meets the leaves w_0, w_1, … with h <- keep h + rate e_j w_j, e_j = r_j - w_j h. If
// edges run one by one, each dot product waits for the one before. If several edges run together, all
// products with the centre use its value before the first of these edges, and the products of two leaves do
// not depend on the centre. The results equal those of the sequential updates up to rounding, in one fixed
// order of operations.
#pragma once

#include <algorithm>

#include "lockstep/executor/edge/on_chip.hpp"

namespace lockstep {

/// Returns c - a b, rounded once.
LOCKSTEP_HD float subtract_product(float a, float b, float c) { return fused_multiply_add(-a, b, c); }

/// Updates one component of both endpoints of an edge.
template <class P>
LOCKSTEP_HD void update_ends(P step, P keep, P& x, P& y) {
    const P old = x;
    x = fused_multiply_add(step, y, multiply(keep, x));
    y = fused_multiply_add(step, old, multiply(keep, y));
}

/// The update of n edges of a star together, at most 4:
///
///     e_j = r_j - keep^j w_j h - sum over m < j of keep^(j-1-m) (w_j w_m) rate e_m
template <int n>
struct StarEdges {
    /// number of products of two leaves (j, m): (1, 0), (2, 0), (2, 1), …
    static constexpr int products = std::max(n * (n - 1) / 2, 1);
    LOCKSTEP_HD static constexpr int place(int j, int m) { return j * (j - 1) / 2 + m; }

    /// Computes the couplings: the dot product of each pair of leaves, times a power of `keep`. The sums of
    /// the products are in product[.][0].
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
    /// Computes rate x error of each edge, from the products with the centre before all of these edges.
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
    /// Computes each held lane's part of the products of leaves.
    template <class Op>
    LOCKSTEP_HD static void multiply_leaves(const typename Op::Row (&leaf)[n],
                                            float (*product)[Op::Lanes::held]) {
        LOCKSTEP_UNROLL
        for (int j = 1; j < n; ++j) {
            LOCKSTEP_UNROLL
            for (int m = 0; m < j; ++m) Op::partial_dot(leaf[j], leaf[m], product[place(j, m)]);
        }
    }
    /// Updates the leaves, and sets the centre to its value after the first `edges` edges. If the operator is
    /// not affine, each edge waits for the update before it.
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
            } else if (Op::Lanes::lanes > 1 || j < edges) {  // all lanes take part
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

/// A star with more edges than this is long.
inline constexpr int long_star = 32;

/// The update of a long star in segments, with the chain through the segments separated from the work on
/// their edges. Let step_j = rate e_j, and let h be the centre before a segment of n edges. Then
///
///     step_j = rate r_j - rate keep^j w_j h - sum over m < j of t_jm step_m
///     t_jm   = rate keep^(j-1-m) w_j w_m
///
/// Solved for each column, the steps are affine in h: step = c - V h. V and c do not depend on the centre, so
/// those of all segments are computed in parallel. The chain then moves the centre from segment to segment:
///
///     h <- keep^n h + sum over j of keep^(n-1-j) step_j w_j
///
/// When their steps are known, the edges of all segments are updated in parallel. Missing edges of the last
/// segment are edges with a leaf and a rating of 0.
template <class Op>
struct StarMap {
    static constexpr int K = Op::components;
    /// Other long stars run four edges at a time. Both variants are needed: at ranks 16, 32 and 64 maps make
    /// a GPU 1.5, 1.4 and 1.06 times as fast; at rank 128 they reduce the rate of a GPU by a sixth, and that
    /// of a CPU by two fifths (docs/research/experiments.md).
    static constexpr bool used = Op::affine && K >= 16 && K < 128;
    static constexpr int segment = 16;  ///< number of edges per segment
    /// parts of a product with the centre; components per part
    static constexpr int parts = 32 / segment, part = K / parts;

    /// Computes keep^0 ... keep^segment.
    LOCKSTEP_HD static void find_powers(float keep, float* powers) {
        powers[0] = 1;
        for (int i = 0; i < segment; ++i) powers[i + 1] = multiply(keep, powers[i]);
    }
    /// Returns the part of four components in the product of two leaves.
    template <class X, class Y>
    LOCKSTEP_HD static auto chunk_product(const X& x, const Y& y) {
        return add(fused_multiply_add(x(1), y(1), multiply(x(0), y(0))),
                   fused_multiply_add(x(3), y(3), multiply(x(2), y(2))));
    }
    /// Returns the sum of of(chunk) over all chunks of four components, by the tree of Lanes::sum.
    template <int first = 0, int apart = 1, class Of>
    LOCKSTEP_HD static auto sum_chunks(const Of& of) {
        if constexpr (apart == K / 4) {
            return of(first);
        } else {
            return add(sum_chunks<first, 2 * apart>(of), sum_chunks<first + apart, 2 * apart>(of));
        }
    }
    /// Returns t_jm, from the product w_j w_m, the rate, and the power of `keep`.
    template <class P>
    LOCKSTEP_HD static P coupling(P rate, P power, P product) {
        return multiply(power, multiply(rate, product));
    }
    /// Returns the contribution of one component of w_j to V, or of r_j to c. `rate_power` is rate keep^j, or
    /// just the rate for r_j.
    template <class P>
    LOCKSTEP_HD static P source(P rate_power, P x) {
        return multiply(rate_power, x);
    }
    /// Adds the contribution of edge e to one component of the centre. Edges with the same e modulo 4 have
    /// one sum. next_centre() returns the component after the segment.
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
