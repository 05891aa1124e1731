// A long star, exactly, without walking its chain: batches of B edges as one affine map of the centre.
//
// A star's centre h meets the leaves w_0, w_1, … with h <- keep h + rate e_j w_j, e_j = r_j - w_j h. One by
// one each update waits for the one before. For a batch of n <= B leaves the same errors solve a unit lower
// triangular system,
//
//     (I + L) e = b,   L_ij = rate keep^(i-1-j) w_i w_j  (j < i),   b_i = r_i - keep^i w_i h,
//
// and with M = rate (I + L)^-1 the batch moves the centre by  h <- keep^n h + sum_j b_j y_j  along the
// directions  y_j = sum_i keep^(n-1-i) M_ij w_i. So
//   solve    M and the directions, which need no centre: all batches at once;
//   advance  b and the next centre: the chain, B edges a link;
//   replay   the steps M b, and the ordinary updates with them: all batches at once.
// These are the sequential updates up to rounding, in one fixed order of operations: CPU and GPU run this
// very code, on the GPU a warp with one lane group a leaf, on the CPU one thread.
#pragma once

#include "lockstep/executor/operator.hpp"

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
        for (int width = groups / 2; width > 0; width /= 2)
            x[0] = add(x[0], __shfl_xor_sync(~0U, x[0], width * L));
    }
};
#endif

/// Edges of a batch at most.
template <class Op>
inline constexpr int star_batch = Op::Lanes::lanes* Op::chunks_per_lane <= 8 ? 16 : 8;
/// Stars with more edges than this run in batches.
template <class Op>
inline constexpr int long_star = 32;

struct alignas(16) Four {
    float x[4];
};

/// What `solve` leaves to `advance` and `advance` to `replay`.
template <int B>
struct StarSystem {
    static constexpr int row = B + 4;   ///< floats of a row: neighbouring rows in different banks
    alignas(16) float inverse[B][row];  ///< M; L transposed while it is solved
    LOCKSTEP_HD const Four& four(int i, int at) const {
        return reinterpret_cast<const Four*>(inverse[i])[at];
    }

    alignas(16) float right_side[B];  ///< b
    alignas(16) float step[B];        ///< rate x error of each edge
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
        Vector w = op.take(leaves, place[j < size ? j : 0]);
        for (auto& chunk : w.x) {
            for (auto& lane : chunk) {
                for (float& x : lane) x = j < size ? x : 0;
            }
        }
        return w;
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

    /// Rows and columns behind the last leaf are those of zero vectors.
    LOCKSTEP_HD void solve(StarSystem<B>& system, float* directions) const {
        const Leaves own = own_leaves();
        constexpr int together = 3;  // enough to hide the sums' latency; more would only be more code
        LOCKSTEP_UNROLL_BY(1)
        for (int first = 1; first < B; first += together) {
            float products[together][slots][Team::held];
            for (int n = 0; n < together; ++n) {
                const Vector w = leaf(first + n);
                for (int q = 0; q < slots; ++q) {
                    for (int g = 0; g < Team::held; ++g) products[n][q][g] = Op::dot(w, own.w[q][g]);
                }
            }
            for (int n = 0; n < together; ++n) {
                for (int q = 0; q < slots; ++q) {
                    for (int g = 0; g < Team::held; ++g) {
                        const int i = first + n, j = Team::group(g) + q * Team::groups;
                        const float decay = powers.of[j < i ? i - 1 - j : 0];
                        store_if(j < i && i < B && Team::leads(),
                                 &system.inverse[j < B ? j : 0][i < B ? i : 0],
                                 multiply(multiply(op.rate, decay), products[n][q][g]));
                    }
                }
            }
        }
        Team::sync();
        // Column t of M, by forward substitution from `rate` times the t-th unit vector.
        float column[Team::held_threads][B];
        for (int t = 0; t < Team::held_threads; ++t) {
            float sum[B];
            LOCKSTEP_UNROLL
            for (int i = 0; i < B; ++i) sum[i] = 0;
            LOCKSTEP_UNROLL
            for (int l = 0; l < B; ++l) {
                const float m = l == Team::thread(t) ? op.rate : -sum[l];
                column[t][l] = m;
                LOCKSTEP_UNROLL
                for (int four = (l + 1) / 4; four < B / 4; ++four) {
                    const Four below = system.four(l, four);
                    LOCKSTEP_UNROLL
                    for (int x = 0; x < 4; ++x) {
                        const int i = 4 * four + x;
                        if (i > l) sum[i] = fused_multiply_add(below.x[x], m, sum[i]);
                    }
                }
            }
        }
        Team::sync();
        for (int t = 0; t < Team::held_threads; ++t) {
            const int to = Team::thread(t) < B ? Team::thread(t) : 0;
            LOCKSTEP_UNROLL
            for (int l = 0; l < B; ++l) store_if(Team::thread(t) < B, &system.inverse[l][to], column[t][l]);
        }
        Team::sync();
        Leaves direction = own;
        for (auto& slot : direction.w) {
            for (Vector& y : slot) {
                for (auto& chunk : y.x) {
                    for (auto& lane : chunk) {
                        for (float& x : lane) x = 0;
                    }
                }
            }
        }
        LOCKSTEP_UNROLL_BY(4)
        for (int i = 0; i < B; ++i) {
            const Vector w = leaf(i);
            const float decay = powers.of[i < size ? size - 1 - i : 0];
            for (int q = 0; q < slots; ++q) {
                for (int g = 0; g < Team::held; ++g) {
                    const int j = Team::group(g) + q * Team::groups;
                    add_scaled(direction.w[q][g], multiply(decay, system.inverse[i][j < B ? j : 0]), w);
                }
            }
        }
        for (int q = 0; q < slots; ++q) {
            for (int g = 0; g < Team::held; ++g) {
                const int j = Team::group(g) + q * Team::groups;
                op.put(directions, static_cast<std::size_t>(j < B ? j : 0), direction.w[q][g], j < B);
            }
        }
    }

    /// What a batch brings along for its link of the chain: it needs no centre, so it is read ahead.
    struct Link {
        Leaves leaf, direction;
        float rating[slots][Team::held], decay[slots][Team::held], last;
    };
    LOCKSTEP_HD Link link(const float* directions) const {
        Link link;
        link.leaf = own_leaves();
        for (int q = 0; q < slots; ++q) {
            for (int g = 0; g < Team::held; ++g) {
                const int i = Team::group(g) + q * Team::groups;
                link.direction.w[q][g] = op.take(directions, static_cast<std::size_t>(i < B ? i : 0));
                const int there = i < size ? i : 0;
                const float r = rating[there], decay = powers.of[there];
                link.rating[q][g] = i < size ? r : 0;
                link.decay[q][g] = i < size ? decay : 0;
            }
        }
        link.last = powers.of[size];
        return link;
    }

    /// Moves the centre, of which every group has a copy, over the batch.
    LOCKSTEP_HD static void advance(const Link& link, StarSystem<B>& system, Vector (&centre)[Team::held]) {
        Vector moved[Team::held];
        for (int q = 0; q < slots; ++q) {
            for (int g = 0; g < Team::held; ++g) {
                const int i = Team::group(g) + q * Team::groups;
                const float product = Op::dot(link.leaf.w[q][g], centre[g]);
                const float b = fused_multiply_add(-link.decay[q][g], product, link.rating[q][g]);
                store_if(Team::leads() && i < B, &system.right_side[i < B ? i : 0], b);
                if (q == 0) {
                    moved[g] = scaled(b, link.direction.w[q][g]);
                } else {
                    add_scaled(moved[g], b, link.direction.w[q][g]);
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
                        h = fused_multiply_add(link.last, h, sum[g]);
                    }
                }
            }
        }
    }

    /// The steps of a batch's edges, by one lane group.
    LOCKSTEP_HD static void find_steps(StarSystem<B>& system) {
        Four b[B / 4];
        for (int four = 0; four < B / 4; ++four)
            b[four] = reinterpret_cast<const Four*>(system.right_side)[four];
        for (int l = 0; l < held_lanes; ++l) {
            for (int i = Team::Lanes::lane(l); i < B; i += Team::Lanes::lanes) {
                float sum[4] = {0, 0, 0, 0};
                for (int four = 0; four < B / 4; ++four) {
                    const Four row = system.four(i, four);
                    for (int x = 0; x < 4; ++x) sum[x] = fused_multiply_add(row.x[x], b[four].x[x], sum[x]);
                }
                system.step[i] = add(add(sum[0], sum[1]), add(sum[2], sum[3]));
            }
        }
    }

private:
    LOCKSTEP_HD static void add_scaled(Vector& to, float factor, const Vector& v) {
        for (int c = 0; c < Op::chunks_per_lane; ++c) {
            for (int l = 0; l < held_lanes; ++l) {
                for (int x = 0; x < 4; ++x)
                    to.x[c][l][x] = fused_multiply_add(factor, v.x[c][l][x], to.x[c][l][x]);
            }
        }
    }
    LOCKSTEP_HD static Vector scaled(float factor, const Vector& v) {
        Vector result;
        for (int c = 0; c < Op::chunks_per_lane; ++c) {
            for (int l = 0; l < held_lanes; ++l) {
                for (int x = 0; x < 4; ++x) result.x[c][l][x] = multiply(factor, v.x[c][l][x]);
            }
        }
        return result;
    }
};

}  // namespace lockstep
