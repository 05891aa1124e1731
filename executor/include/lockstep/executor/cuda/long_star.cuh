// A long star on chip (star.hpp, StarMap), by a few warps that meet at barriers: V and c of its segments, a
// warp a segment; the chain through the segments, by one warp; the edges of the segments, a lane group a
// segment.
#pragma once

#include "lockstep/executor/cuda/shared.cuh"
#include "lockstep/executor/star.hpp"

namespace lockstep::gpu {

/// Of N sums over the lanes each lane is left with one, number lane / (lanes / N), by the tree of Lanes::sum:
/// half of the sums go on in half of the lanes.
template <class Lanes, int N>
__device__ __forceinline__ float spread_sums(float (&partial)[N][1]) {
    const int lane = Lanes::lane(0);
    int left = N;
#pragma unroll
    for (int width = Lanes::lanes / 2; width > 0; width /= 2) {
        if (left == 1) {
            partial[0][0] = add(partial[0][0], __shfl_xor_sync(~0U, partial[0][0], width));
            continue;
        }
        left /= 2;
        const bool upper = lane & width;
#pragma unroll
        for (int n = 0; n < N; ++n) {
            if (n >= left) continue;
            const float low = partial[n][0], high = partial[n + left < N ? n + left : n][0];
            const float other = __shfl_xor_sync(~0U, upper ? low : high, width);
            partial[n][0] = add(upper ? high : low, other);
        }
    }
    return partial[0][0];
}

/// The segments of a star in shared memory, `capacity` at a time. Op's lanes are those of a warp (star.hpp).
template <class Op>
class LongStar {
    using Map = StarMap<Op>;
    using Vector = typename Op::Row;
    using Address = std::uint32_t;  ///< in shared memory
    static constexpr int K = Map::K, B = Map::segment, lanes = Op::Lanes::lanes, groups = 32 / lanes;
    static constexpr int chunk_bytes = Op::template chunk_bytes<>;
    static constexpr int held = B / groups;  ///< leaves of a segment by lane group
    static constexpr int row = K + 4;        ///< floats of a row: V, c; no eight rows in the same banks
    static constexpr int steps_at = B * row, leaves_at = steps_at + B, centre_at = leaves_at + B,
                         segment_floats = centre_at + K;
    static constexpr int powers_at = B, powers = powers_at + (B + 4) / 4 * 4;  ///< behind B zeros

public:
    static constexpr bool used = Map::used;
    /// Shared memory: the powers of keep, the scaled steps of a segment, the centre between two calls, a
    /// triangle of couplings for each warp; the segments.
    __host__ __device__ static constexpr int floats(int capacity, int warps) {
        return used ? powers + B + K + warps * B * B + capacity * segment_floats : 0;
    }
    __device__ static void initialise(const Op& op, float* memory) {
        if constexpr (used) {
            for (int i = 0; i < powers_at; ++i) memory[i] = 0;
            Map::find_powers(op.keep, memory + powers_at);
        }
    }

    __device__ LongStar(const Op& op, float* memory, int warps, Address null)
        : op_(op),
          powers_(memory + powers_at),
          scaled_(memory + powers),
          between_(scaled_ + B),
          triangles_(between_ + K),
          segments_(triangles_ + warps * B * B),
          null_(null) {}

    /// V and c of segment `i` of those on chip, by one warp: `size` edges from `pairs` on.
    __device__ __forceinline__ void map(int i, int warp, Address pairs, int size, Address leaves) const {
        const int lane = static_cast<int>(threadIdx.x) % 32, group = lane / lanes;
        float* const segment = segments_ + i * segment_floats;
        float* const triangle = triangles_ + warp * B * B;  // [m][j]: t_jm
        if (lane < B) {
            const bool there = lane < size;
            const Address edge = pairs + 16 * (lane / 2) + 4 * (lane % 2);
            segment[leaves_at + lane] = __uint_as_float(there ? leaves + load_word(edge) : null_);
            segment[steps_at + lane] =
                there ? __uint_as_float(load_word(edge + 8)) : 0;  // the ratings, as yet
        }
        __syncwarp();
        const Address own = chunk_bytes * Op::Lanes::lane(0);
        Vector mine[held];
#pragma unroll
        for (int q = 0; q < held; ++q) mine[q] = op_.take_lane(leaf(segment, group + groups * q) + own);
        const int q = Op::Lanes::lane(0) / (lanes / held), m = group + groups * q;
        // Several leaves at a time: what waits for loads and shuffles waits for those of all.
        constexpr int at_once = K > 32 ? 4 : 8;
#pragma unroll
        for (int first = 0; first < B; first += at_once) {
            Vector w[at_once];
#pragma unroll
            for (int d = 0; d < at_once; d += 4)
                take_leaves(segment, first + d, own, reinterpret_cast<Vector(&)[4]>(w[d]));
            float sum[at_once];
#pragma unroll
            for (int d = 0; d < at_once; ++d) {
                float product[held][1] = {};
#pragma unroll
                for (int n = 0; n < held; ++n) {
                    if (groups * n < first + d) Op::partial_dot(w[d], mine[n], product[n]);
                }
                sum[d] = spread_sums<typename Op::Lanes>(product);
            }
#pragma unroll
            for (int d = 0; d < at_once; ++d) {
                const int j = first + d;  // m or below: the power is 0
                triangle[m * B + j] = Map::coupling(op_, powers_[j - 1 - m], sum[d]);
            }
        }
        __syncwarp();
#pragma unroll 1
        for (int column = lane; column <= K; column += 32) solve(segment, triangle, column);
        __syncwarp();
    }

    /// The chain through `count` segments of `size` edges in all, by one warp: their steps, and the centres
    /// before them. It begins with the centre's vector and ends there; in between it is not rounded.
    __device__ __forceinline__ void follow(Address centre, int count, int size, bool begins,
                                           bool ends) const {
        constexpr int own_components = K > 32 ? K / 32 : 1;
        const int lane = static_cast<int>(threadIdx.x) % 32, j = lane % B, part = lane / B;
        // Lanes that have no component take those of the vector of zeros, without a branch.
        float h[own_components];
#pragma unroll
        for (int n = 0; n < own_components; ++n) {
            h[n] = begins ? component(centre, lane + 32 * n) : between_[(lane + 32 * n) % K];
        }
        float v[Map::part], c, w[own_components][B];
        const auto fetch = [&](const float* segment) {
#pragma unroll
            for (int i = 0; i < Map::part; i += 4) {
                const float4 four =
                    *reinterpret_cast<const float4*>(segment + j * row + part * Map::part + i);
                v[i] = four.x, v[i + 1] = four.y, v[i + 2] = four.z, v[i + 3] = four.w;
            }
            c = segment[j * row + K];
#pragma unroll
            for (int e = 0; e < B; e += 4) {
                const uint4 four = *reinterpret_cast<const uint4*>(segment + leaves_at + e);
                const Address at[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
                for (int d = 0; d < 4; ++d) {
#pragma unroll
                    for (int n = 0; n < own_components; ++n) {
                        w[n][e + d] = component(at[d], lane + 32 * n);
                    }
                }
            }
        };
        fetch(segments_);
#pragma unroll 1
        for (int s = 0; s < count; ++s, size -= B) {
            float* const segment = segments_ + s * segment_floats;
            const int n_edges = min(size, B);
#pragma unroll
            for (int n = 0; n < own_components; ++n) {
                if (lane + 32 * n < K) segment[centre_at + lane + 32 * n] = h[n];
            }
            const float power = powers_[n_edges], own_power = powers_[max(n_edges - 1 - j, 0)];
            __syncwarp();
            float centre_part[Map::part];
#pragma unroll
            for (int i = 0; i < Map::part; i += 4) {
                const float4 four =
                    *reinterpret_cast<const float4*>(segment + centre_at + part * Map::part + i);
                centre_part[i] = four.x, centre_part[i + 1] = four.y, centre_part[i + 2] = four.z,
                centre_part[i + 3] = four.w;
            }
            float product = Map::part_product(v, centre_part);
#pragma unroll
            for (int width = B; width < 32; width *= 2)
                product = add(product, __shfl_xor_sync(~0U, product, width));
            const float step = add(c, -product);
            if (part == 0) {
                segment[steps_at + j] = step;
                scaled_[j] = multiply(own_power, step);
            }
            __syncwarp();
            float sum[own_components][4];
#pragma unroll
            for (int e = 0; e < B; e += 4) {
                const float4 steps = *reinterpret_cast<const float4*>(scaled_ + e);
                const float four[4] = {steps.x, steps.y, steps.z, steps.w};
#pragma unroll
                for (int n = 0; n < own_components; ++n) {
#pragma unroll
                    for (int d = 0; d < 4; ++d) sum[n][d] = Map::add_step(e, sum[n][d], four[d], w[n][e + d]);
                }
            }
#pragma unroll
            for (int n = 0; n < own_components; ++n) h[n] = Map::next_centre(power, h[n], sum[n]);
            fetch(s + 1 < count ? segment + segment_floats : segment);
        }
#pragma unroll
        for (int n = 0; n < own_components; ++n) {
            const int i = lane + 32 * n;
            if (i < K) between_[i] = h[n];
            if (i < K && i < 4 * op_.chunks && ends) op_.set_component(centre, i, h[n]);
        }
    }

    /// The edges of `count` segments of `size` edges in all, by `warps` of which this is one.
    __device__ __forceinline__ void update(int warp, int warps, int count, int size) const {
        const int group = static_cast<int>(threadIdx.x) % 32 / lanes;
        const Address own = chunk_bytes * Op::Lanes::lane(0);
#pragma unroll 1
        for (int first = warp * groups; first < count; first += warps * groups) {
            // Groups behind the last segment go along on the vector of zeros.
            const bool there = first + group < count;
            const int s = there ? first + group : count - 1, edges = there ? size - s * B : 0;
            const float* const segment = segments_ + s * segment_floats;
            Vector h = op_.template take_lane<float>(shared_address(segment + centre_at) +
                                                     Op::template chunk_bytes<float> * Op::Lanes::lane(0));
#pragma unroll 1
            for (int e = 0; e < B; e += 4) {
                Vector w[4];
                take_leaves(segment, e, own, w, there);
#pragma unroll
                for (int d = 0; d < 4; ++d) {
                    op_.update(w[d], h, segment[steps_at + e + d]);
                    op_.put_lane(leaf(segment, e + d) + own, w[d], e + d < edges);
                }
            }
        }
    }

private:
    __device__ __forceinline__ static Address leaf(const float* segment, int j) {
        return __float_as_uint(segment[leaves_at + j]);
    }
    /// Component i of a vector, 0 behind the last one.
    __device__ __forceinline__ float component(Address vector, int i) const {
        const bool there = i < K && i < 4 * op_.chunks;
        return op_.component(there ? vector : null_, there ? i : 0);
    }
    /// This lane's part of four leaves, or of the vector of zeros.
    __device__ __forceinline__ void take_leaves(const float* segment, int first, Address own, Vector (&w)[4],
                                                bool there = true) const {
        const uint4 at = *reinterpret_cast<const uint4*>(segment + leaves_at + first);
        w[0] = op_.take_lane((there ? at.x : null_) + own),
        w[1] = op_.take_lane((there ? at.y : null_) + own);
        w[2] = op_.take_lane((there ? at.z : null_) + own),
        w[3] = op_.take_lane((there ? at.w : null_) + own);
    }
    /// A column of V, or c (K): the couplings' triangle solved forwards.
    __device__ __forceinline__ void solve(float* segment, const float* triangle, int column) const {
        const bool is_c = column == K;
        float v[B];
#pragma unroll
        for (int j = 0; j < B; ++j) {
            const float w = component(leaf(segment, j), column), rating = segment[steps_at + j];
            v[j] = Map::source(op_, is_c ? 1 : powers_[j], is_c ? rating : w);
        }
#pragma unroll
        for (int m = 0; m < B; ++m) {
#pragma unroll
            for (int j = 0; j < B; j += 4) {
                if (j + 3 <= m) continue;
                const float4 t = *reinterpret_cast<const float4*>(triangle + m * B + j);
                const float four[4] = {t.x, t.y, t.z, t.w};
#pragma unroll
                for (int d = 0; d < 4; ++d) {
                    if (j + d > m) v[j + d] = fused_multiply_add(-four[d], v[m], v[j + d]);
                }
            }
        }
#pragma unroll
        for (int j = 0; j < B; ++j) segment[j * row + column] = v[j];
    }

    const Op& op_;
    float *powers_, *scaled_, *between_, *triangles_, *segments_;
    Address null_;
};

}  // namespace lockstep::gpu
