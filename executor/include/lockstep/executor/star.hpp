// The edges of a star in order, a few at a time.
//
// A star's centre h meets the leaves w_0, w_1, … with h <- keep h + rate e_j w_j, e_j = r_j - w_j h. One by
// one each dot product waits for the one before. Of B edges together, all products with the centre are those
// with the one that the first of them finds:
//
//     e_i = r_i - keep^i w_i h - sum_{j<i} keep^(i-1-j) (w_i w_j) rate e_j
//
// and the products among leaves need no centre. These are the sequential updates up to rounding, in one fixed
// order of operations: CPU and GPU run this very code, so their bits agree.
#pragma once

#include "lockstep/executor/operator.hpp"

namespace lockstep {

/// Edges of a star that are worked on together; where an operator clips, which is not affine, one by one.
#ifndef LOCKSTEP_LOOKAHEAD
#define LOCKSTEP_LOOKAHEAD 2
#endif
inline constexpr int star_lookahead = LOCKSTEP_LOOKAHEAD;

#if defined(__CUDACC__)
/// L neighbouring threads of a warp whose 32 threads run together.
template <int L>
struct WarpLanes {
    static constexpr int lanes = L;
    static constexpr int held = 1;
    __device__ __forceinline__ static int lane(int) { return static_cast<int>(threadIdx.x) % L; }
    __device__ __forceinline__ static float sum(float (&partial)[1]) {
        float s[1][1] = {{partial[0]}};
        sum_each(s);
        return s[0][0];
    }
    /// Several sums at once, each left in its partial[.][0].
    template <int N>
    __device__ __forceinline__ static void sum_each(float (&partial)[N][1]) {
#pragma unroll
        for (int width = L / 2; width > 0; width /= 2) {
#pragma unroll
            for (int n = 0; n < N; ++n)
                partial[n][0] = add(partial[n][0], __shfl_xor_sync(~0U, partial[n][0], width));
        }
    }
};
#endif

/// The first `size` (at least one) of B edges of a star: `leaf` and `centre` become what they are after them.
/// Leaves behind are of no effect.
template <int B, class Op>
LOCKSTEP_HD void run_star_edges(const Op& op, typename Op::Row& centre, typename Op::Row (&leaf)[B],
                                const float (&rating)[B], int size) {
    constexpr int products = B * (B + 1) / 2;  // row i: with the centre, then with the leaves before
    float product[products][Op::Lanes::held];
    LOCKSTEP_UNROLL
    for (int i = 0, n = 0; i < B; ++i) {
        Op::partial_dot(leaf[i], centre, product[n++]);
        LOCKSTEP_UNROLL
        for (int j = 0; j < i; ++j) Op::partial_dot(leaf[i], leaf[j], product[n++]);
    }
    Op::Lanes::sum_each(product);
    float step[B], decay[B + 1];  // decay[i]: keep^i
    decay[0] = 1;
    LOCKSTEP_UNROLL
    for (int i = 0, n = 0; i < B; ++i) {
        decay[i + 1] = multiply(decay[i], op.keep);
        float error = fused_multiply_add(-decay[i], product[n++][0], rating[i]);
        LOCKSTEP_UNROLL
        for (int j = 0; j < i; ++j)
            error = fused_multiply_add(-multiply(decay[i - 1 - j], product[n++][0]), step[j], error);
        step[i] = multiply(op.rate, error);
    }
    LOCKSTEP_UNROLL
    for (int i = 0; i < B; ++i) {
        typename Op::Row after = centre;
        op.update(leaf[i], after, step[i]);
        if (i == 0 || i < size) centre = after;
    }
}

/// A long star in segments: each is an affine map of the centre, h <- A h + c, that needs no centre to be
/// found. All maps at once, then the chain through them, then all segments as stars of their own, each from
/// the centre that the chain had there.
template <class Op>
struct StarMap {
    static constexpr int K = 4 * Op::Lanes::lanes * Op::chunks_per_lane;
    static constexpr bool used = K == 16;       ///< other ranks run their long stars as others
    static constexpr int longer_than = 48;      ///< edges of a long star
    static constexpr int segment = 16;          ///< edges of a segment
    static constexpr int row = K + 4;           ///< floats of a column in memory: no two in the same banks
    static constexpr int floats = K * row + K;  ///< the columns of A, then c

    /// One edge met by `held` columns x, whose rating is 0 save for that of c: x <- keep x + step w.
    template <int held>
    LOCKSTEP_HD static void meet(const Op& op, float (&x)[K][held], const float (&w)[K],
                                 const float (&rating)[held]) {
        float sum[4][held], step[held];
        LOCKSTEP_UNROLL
        for (int i = 0; i < K; ++i) {
            for (int n = 0; n < held; ++n) {
                sum[i % 4][n] =
                    i < 4 ? multiply(w[i], x[i][n]) : fused_multiply_add(w[i], x[i][n], sum[i % 4][n]);
            }
        }
        for (int n = 0; n < held; ++n) {
            const float product = add(add(sum[0][n], sum[1][n]), add(sum[2][n], sum[3][n]));
            step[n] = multiply(op.rate, add(rating[n], -product));
        }
        LOCKSTEP_UNROLL
        for (int i = 0; i < K; ++i) {
            for (int n = 0; n < held; ++n)
                x[i][n] = fused_multiply_add(step[n], w[i], multiply(op.keep, x[i][n]));
        }
    }
    /// Half of one component of A h: `a` and `h` are that half of A's row and of h.
    LOCKSTEP_HD static float half(const float (&a)[K / 2], const float (&h)[K / 2]) {
        float sum = multiply(a[0], h[0]);
        LOCKSTEP_UNROLL
        for (int j = 1; j < K / 2; ++j) sum = fused_multiply_add(a[j], h[j], sum);
        return sum;
    }
};

}  // namespace lockstep
