// A long star, exactly, without walking its chain: batches of B edges as one affine map of the centre.
//
// A star's centre h meets the leaves w_0, w_1, … with h <- keep h + rate e_j w_j, e_j = r_j - w_j h. One by
// one each update waits for the one before. For a batch of n <= B leaves the same errors solve a unit lower
// triangular system,
//
//     (I + L) e = b,   L_ij = rate keep^(i-1-j) w_i w_j  (j < i),   b_i = r_i - keep^i w_i h,
//
// and the batch moves the centre by  h <- keep^n h + sum_j rate keep^(n-1-j) e_j w_j. So
//   solve    M = (I + L)^-1, which needs no centre: all batches at once;
//   advance  b, e = M b and the next centre: the chain, B edges a link;
//   replay   the ordinary updates of a batch from its centre and its errors: all batches at once.
// These are the sequential updates up to rounding, in one fixed order of operations: CPU and GPU run this
// very code, on the GPU a warp with one lane group a leaf, on the CPU one thread.
#pragma once

#include "lockstep/executor/lanes.hpp"

namespace lockstep {

/// The 32 / L lane groups of a warp, all in one CPU thread.
template <int L>
struct HostTeam {
    using Lanes = HostLanes<L>;
    static constexpr int groups = 32 / L;
    static constexpr int held = groups;      ///< groups that this thread is part of
    static constexpr int held_threads = 32;  ///< threads of the team that this one stands for
    static constexpr int group(int i) { return i; }
    static constexpr int thread(int i) { return i; }
    static constexpr bool leads() { return true; }
    static void sync() {}
    /// Sums one number of each group by a tree: group g takes g + groups / 2, then g + groups / 4, …
    static void sum(float (&x)[held]) {
        for (int width = groups / 2; width > 0; width /= 2) {
            for (int g = 0; g < width; ++g) x[g] = add(x[g], x[g + width]);
        }
        for (int g = 1; g < groups; ++g) x[g] = x[0];
    }
};

#if defined(__CUDACC__)
/// L neighbouring threads of a warp whose 32 threads run together.
template <int L>
struct WarpLanes {
    static constexpr int lanes = L;
    static constexpr int held = 1;
    __device__ __forceinline__ static int lane(int) { return static_cast<int>(threadIdx.x) % L; }
    __device__ __forceinline__ static bool leads() { return threadIdx.x % L == 0; }
    __device__ __forceinline__ static float sum(float (&partial)[1]) {
        float s = partial[0];
#pragma unroll
        for (int width = L / 2; width > 0; width /= 2) s = add(s, __shfl_xor_sync(~0U, s, width));
        return s;
    }
};
template <int L>
struct WarpTeam {
    using Lanes = WarpLanes<L>;
    static constexpr int groups = 32 / L;
    static constexpr int held = 1;
    static constexpr int held_threads = 1;
    __device__ __forceinline__ static int group(int) { return static_cast<int>(threadIdx.x) % 32 / L; }
    __device__ __forceinline__ static int thread(int) { return static_cast<int>(threadIdx.x) % 32; }
    __device__ __forceinline__ static bool leads() { return Lanes::leads(); }
    __device__ __forceinline__ static void sync() { __syncwarp(); }
    __device__ __forceinline__ static void sum(float (&x)[1]) {
#pragma unroll
        for (int width = groups / 2; width > 0; width /= 2) x[0] = add(x[0], __shfl_xor_sync(~0U, x[0], width * L));
    }
};
#endif

/// Edges of a batch at most.
template <class Op>
inline constexpr int star_batch = Op::Lanes::lanes * Op::chunks_per_lane <= 8 ? 16 : 8;
/// Stars with more edges than this run in batches.
template <class Op>
inline constexpr int long_star = 2 * star_batch<Op>;

/// What `solve` leaves to `advance` and `advance` to `replay`.
template <int B>
struct StarSystem {
    static constexpr int row = B + 4;  ///< floats of a row: neighbouring rows in different banks
    alignas(16) float inverse[B][row];  ///< M; L transposed while it is solved
    alignas(16) float right_side[B];
    alignas(16) float step[B];  ///< rate x error of each edge
};

/// keep^0 … keep^B.
template <int B>
struct Powers {
    float of[B + 1];
    LOCKSTEP_HD void set(float keep) {
        of[0] = 1;
        for (int i = 0; i < B; ++i) of[i + 1] = multiply(of[i], keep);
    }
};

/// The batch of one star: `leaves` holds the leaves' vectors, `place[j]` that of the j-th edge.
template <class Op, class Team, class Index>
struct StarBatch {
    static constexpr int B = star_batch<Op>;
    static constexpr int slots = (B + Team::groups - 1) / Team::groups;  ///< leaves of a lane group
    using Vector = typename Op::Row;
    static constexpr int held_lanes = Team::Lanes::held;

    const Op& op;
    const Powers<B>& powers;
    const float* leaves;
    const Index* place;
    const float* rating;
    int size;

    /// Leaf j, zero behind the last.
    LOCKSTEP_HD Vector leaf(int j) const {
        if (j < size) return op.take(leaves, static_cast<int>(place[j]));
        Vector zero;
        for (auto& chunk : zero.x) {
            for (auto& lane : chunk) {
                for (float& x : lane) x = 0;
            }
        }
        return zero;
    }
    /// The leaves of this group: q-th is leaf group + q * groups.
    struct Leaves {
        Vector w[slots][Team::held];
    };
    LOCKSTEP_HD Leaves own_leaves() const {
        Leaves own;
        for (int q = 0; q < slots; ++q) {
            for (int g = 0; g < Team::held; ++g) own.w[q][g] = leaf(Team::group(g) + q * Team::groups);
        }
        return own;
    }

    LOCKSTEP_HD void solve(StarSystem<B>& system) const {
        const Leaves own = own_leaves();
        for (int i = 1; i < size; ++i) {
            const Vector w = leaf(i);
            for (int q = 0; q < slots; ++q) {
                if (q * Team::groups >= i) break;
                for (int g = 0; g < Team::held; ++g) {
                    const int j = Team::group(g) + q * Team::groups;
                    const float product = Op::dot(w, own.w[q][g]);
                    if (j < i && Team::leads())
                        system.inverse[j][i] = multiply(multiply(op.rate, powers.of[i - 1 - j]), product);
                }
            }
        }
        Team::sync();
        // Column t of M, by forward substitution from the t-th unit vector.
        float column[Team::held_threads][B];
        for (int t = 0; t < Team::held_threads; ++t) {
            float sum[B];
#pragma unroll
            for (int i = 0; i < B; ++i) sum[i] = 0;
#pragma unroll
            for (int l = 0; l < B; ++l) {
                const float m = l == Team::thread(t) ? 1 : -sum[l];
                column[t][l] = m;
#pragma unroll
                for (int i = l + 1; i < B; ++i) sum[i] = fused_multiply_add(system.inverse[l][i], m, sum[i]);
            }
        }
        Team::sync();
        for (int t = 0; t < Team::held_threads; ++t) {
            if (Team::thread(t) >= B) continue;
#pragma unroll
            for (int l = 0; l < B; ++l) system.inverse[l][Team::thread(t)] = column[t][l];
        }
        Team::sync();
    }

    /// Moves the centre, of which every group has a copy, over the batch.
    LOCKSTEP_HD void advance(StarSystem<B>& system, Vector (&centre)[Team::held]) const {
        const Leaves own = own_leaves();
        for (int q = 0; q < slots; ++q) {
            for (int g = 0; g < Team::held; ++g) {
                const int i = Team::group(g) + q * Team::groups;
                const float product = Op::dot(own.w[q][g], centre[g]);
                if (Team::leads() && i < B)
                    system.right_side[i] = i < size ? fused_multiply_add(-powers.of[i], product, rating[i]) : 0;
            }
        }
        Team::sync();
        Vector moved[Team::held];
        for (int q = 0; q < slots; ++q) {
            for (int g = 0; g < Team::held; ++g) {
                const int i = Team::group(g) + q * Team::groups;
                float e = 0;
                if (i < size) {
                    float sum[4] = {0, 0, 0, 0};
#pragma unroll
                    for (int j = 0; j < B; ++j)
                        sum[j % 4] = fused_multiply_add(system.inverse[i][j], system.right_side[j], sum[j % 4]);
                    e = add(add(sum[0], sum[1]), add(sum[2], sum[3]));
                    if (Team::leads()) system.step[i] = multiply(op.rate, e);
                }
                const float weight = i < size ? multiply(multiply(op.rate, powers.of[size - 1 - i]), e) : 0;
                for (int c = 0; c < Op::chunks_per_lane; ++c) {
                    for (int l = 0; l < held_lanes; ++l) {
                        for (int x = 0; x < 4; ++x) {
                            float& to = moved[g].x[c][l][x];
                            to = fused_multiply_add(weight, own.w[q][g].x[c][l][x], q == 0 ? 0 : to);
                        }
                    }
                }
            }
        }
        for (int c = 0; c < Op::chunks_per_lane; ++c) {
            for (int l = 0; l < held_lanes; ++l) {
                for (int x = 0; x < 4; ++x) {
                    float sum[Team::held];
                    for (int g = 0; g < Team::held; ++g) sum[g] = moved[g].x[c][l][x];
                    Team::sum(sum);
                    for (int g = 0; g < Team::held; ++g) {
                        float& h = centre[g].x[c][l][x];
                        h = fused_multiply_add(powers.of[size], h, sum[g]);
                    }
                }
            }
        }
        Team::sync();
    }
};

}  // namespace lockstep
