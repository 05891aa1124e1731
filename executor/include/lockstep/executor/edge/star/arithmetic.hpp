// The arithmetic of stars, which all walks on CPU and GPU share, so that their results are bitwise identical.
// A star is a vertex (its centre) with some of its edges; its leaves are the other endpoints. The functions
// work on single numbers, or on packs of numbers for which multiply, add, fused_multiply_add and
// subtract_product are defined (lanes.hpp, pack.hpp).
//
// The edges of a star update its centre h one after another: h <- keep h + rate e_j w_j, where w_j is the
// leaf of edge j, r_j its value, and e_j = r_j - w_j h its error. If edges run one by one, each dot product
// waits for the previous update. If several edges run together, all dot products with the centre use its
// value before the first of these edges; the dot products of two leaves do not depend on the centre. The
// results equal those of the sequential updates up to rounding. The order of operations is fixed.
#pragma once

#include <algorithm>

#include "lockstep/executor/edge/on_chip.hpp"

namespace lockstep {

/// Returns c - a b, rounded once.
LOCKSTEP_HD float subtract_product(float a, float b, float c) { return fused_multiply_add(-a, b, c); }

/// Updates one component of the vectors of both endpoints of an edge.
template <class P>
LOCKSTEP_HD void update_ends(P step, P keep, P& x, P& y) {
    const P old = x;
    x = fused_multiply_add(step, y, multiply(keep, x));
    y = fused_multiply_add(step, old, multiply(keep, y));
}

/// Updates n ≤ 4 edges of a star together, with the errors
///
///     e_j = r_j - keep^j w_j h - sum over m < j of keep^(j-1-m) (w_j w_m) rate e_m
template <int n>
struct StarEdges {
    /// number of pairs of leaves (j, m) with m < j, in the order (1, 0), (2, 0), (2, 1), …
    static constexpr int products = std::max(n * (n - 1) / 2, 1);
    LOCKSTEP_HD static constexpr int place(int j, int m) { return j * (j - 1) / 2 + m; }

    /// Computes the coupling of each pair of leaves: their dot product, times a power of `keep`. The dot
    /// products are in product[.][0].
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
    /// Computes rate e_j of each edge from the dot products of its leaf with the centre before all of these
    /// edges.
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
    /// Computes the part of each held lane of the dot products of all pairs of leaves.
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
    /// not affine, the edges run one by one.
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
                op.apply(leaf[j], centre, rating[j], EdgePosition{});
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

/// Number of edges above which a star is long; several warps of a GPU may process it together.
inline constexpr int long_star = 32;

/// The update of a long star in segments of edges. Most of the work on a segment does not depend on the
/// centre, so only a short chain of operations leads from segment to segment. Let step_j = rate e_j, and let
/// h be the centre before a segment of n edges. Then
///
///     step_j = rate r_j - rate keep^j w_j h - sum over m < j of t_jm step_m
///     t_jm   = rate keep^(j-1-m) w_j w_m
///
/// If this system is solved, the steps are affine functions of h: step = c - V h. V and c do not depend on
/// the centre, so they are computed for all segments in parallel. The chain then moves the centre from
/// segment to segment:
///
///     h <- keep^n h + sum over j of keep^(n-1-j) step_j w_j
///
/// When the steps are known, the edges of all segments are updated in parallel. If the last segment has too
/// few edges, edges with a leaf and a value of 0 are added.
template <class Op>
struct StarMap {
    static constexpr int K = Op::components;
    /// Whether segments are used; other operators run long stars four edges at a time. Both variants are
    /// needed. With 16, 32 and 64 factors, segments make a GPU 1.5, 1.4 and 1.06 times as fast. With 128
    /// factors, they reduce the speed of a GPU by a sixth and that of a CPU by two fifths
    /// (docs/research/experiments.md).
    static constexpr bool used = Op::affine && K >= 16 && K < 128;
    static constexpr int segment = 16;  ///< number of edges per segment
    /// number of parts into which a dot product with the centre is divided; number of components per part
    static constexpr int parts = 32 / segment, part = K / parts;

    /// Computes the powers keep^0 … keep^segment.
    LOCKSTEP_HD static void find_powers(float keep, float* powers) {
        powers[0] = 1;
        for (int i = 0; i < segment; ++i) powers[i + 1] = multiply(keep, powers[i]);
    }
    /// Returns the contribution of four components to the dot product of two leaves.
    template <class X, class Y>
    LOCKSTEP_HD static auto chunk_product(const X& x, const Y& y) {
        return add(fused_multiply_add(x(1), y(1), multiply(x(0), y(0))),
                   fused_multiply_add(x(3), y(3), multiply(x(2), y(2))));
    }
    /// Returns the sum of of(chunk) over all chunks of four components, in the order of the tree of
    /// Lanes::sum.
    template <int first = 0, int apart = 1, class Of>
    LOCKSTEP_HD static auto sum_chunks(const Of& of) {
        if constexpr (apart == K / 4) {
            return of(first);
        } else {
            return add(sum_chunks<first, 2 * apart>(of), sum_chunks<first + apart, 2 * apart>(of));
        }
    }
    /// Returns t_jm, given the dot product w_j w_m, the rate, and the power of `keep`.
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
    /// Adds the contribution of edge e to one component of the centre. There are four sums, for edges with
    /// equal e modulo 4. next_centre() combines them to the component after the segment.
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
