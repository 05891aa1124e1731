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

#include "lockstep/executor/operator.hpp"

namespace lockstep {

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

/// Two edges of a star: the leaves and the centre become what they are after both, or after the first alone.
/// Not `together`, the second product waits for the first update: where the operator clips, which is not
/// affine.
template <bool together, class Op>
LOCKSTEP_HD void run_star_pair(const Op& op, typename Op::Row& centre, typename Op::Row (&leaf)[2],
                               const float (&rating)[2], bool both) {
    typename Op::Row after;
    if constexpr (together) {
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
