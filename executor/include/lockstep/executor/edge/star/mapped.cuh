// Long stars in shared memory by segments with affine maps (StarMap in star/arithmetic.hpp). The warp of a
// place computes the map (V and c) of its segment.
#pragma once

#include "lockstep/executor/edge/star/arithmetic.hpp"
#include "lockstep/executor/edge/star/places.cuh"

namespace lockstep::gpu {

template <class Op>
class LongStarMapped : public StarPlaces<LongStarMapped<Op>, Op> {
    using StarBuffers = StarPlaces<LongStarMapped<Op>, Op>;
    friend StarBuffers;
    using StarBuffers::four, StarBuffers::op_, StarBuffers::null_;
    using typename StarBuffers::Address, typename StarBuffers::Four;
    using Map = StarMap<Op>;
    static constexpr int K = Map::K, B = Map::segment, lanes = Op::Lanes::lanes, groups = 32 / lanes;
    static_assert(B == StarBuffers::segment);
    /// floats per row: a row of V, its element of c, and padding, so that eight consecutive rows are in
    /// different banks
    static constexpr int row = K + 4;
    /// The layout of the part before the places, in floats: zeros, the powers of `keep`, and the scaled steps
    /// of a segment.
    static constexpr int powers_at = B, scaled_at = powers_at + (B + 4) / 4 * 4, places_at = scaled_at + B;

public:
    /// The layout of the shared memory of one segment (a place), as offsets in floats. A place has the
    /// vectors of the leaves (rows), the step sizes of the edges, the indices of the leaves, the vector of
    /// the centre before the segment, and the triangular matrix of couplings (segment.hpp). The weights of the
    /// edges are stored where their step sizes are written later.
    static constexpr int steps_at = B * row, values_at = steps_at, leaves_at = steps_at + B,
                         centre_at = leaves_at + B, triangle_at = centre_at + K,
                         barriers_at = triangle_at + B * B,
                         place_floats = barriers_at + StarBuffers::barrier_floats;
    using typename StarBuffers::Next;
    static constexpr int fixed_floats = places_at;
    __device__ static void initialise(const Op& op, float* memory, int places) {
        for (int i = 0; i < powers_at; ++i) memory[i] = 0;
        Map::find_powers(op.keep, memory + powers_at);
        StarBuffers::initialise_places(memory + places_at, places);
    }

    __device__ LongStarMapped(const Op& op, float* memory, Address null)
        : StarBuffers(op, memory + places_at, null),
          powers_(memory + powers_at),
          scaled_(memory + scaled_at) {}

    /// Follows the chain of a star of `size` edges through its segments: computes their steps, and the centre
    /// before each of them. The centre stays in single precision until the end.
    __device__ __forceinline__ void follow(Next& next, int places, Address centre, int size) const {
        const int lane = static_cast<int>(threadIdx.x) % 32, j = lane % B, part = lane / B;
        ChainRegisters held;
        float h[own];
        op_.load_consecutive(own_part(centre), h);
        float* segment = take_segment(next, places, held);
#pragma unroll 1
        for (;; size -= B) {
            if (lane < width) {
#pragma unroll
                for (int n = 0; n < own; ++n) segment[centre_at + own * lane + n] = h[n];
            }
            const int edges = min(size, B);
            const float power = powers_[edges], own_power = powers_[max(edges - 1 - j, 0)];
            __syncwarp();
            float centre_part[Map::part];
            take_part(segment + centre_at + part * Map::part, centre_part);
            float product = part_product(held.v, centre_part);
#pragma unroll
            for (int other = B; other < 32; other *= 2)
                product = add(product, __shfl_xor_sync(~0U, product, other));
            const float step = add(held.c, -product);
            if (part == 0) {
                segment[steps_at + j] = step;
                scaled_[j] = multiply(own_power, step);
            }
            StarBuffers::pass(segment, StarBuffers::followed);
            float sum[own][4];
#pragma unroll
            for (int e = 0; e < B; e += 4) {
                const Four steps = four(scaled_ + e);
#pragma unroll
                for (int n = 0; n < own; ++n) {
#pragma unroll
                    for (int d = 0; d < 4; ++d) Map::add_step(e + d, sum[n], steps(d), held.w[e + d][n]);
                }
            }
            if (size > B) segment = take_segment(next, places, held);
#pragma unroll
            for (int n = 0; n < own; ++n) h[n] = Map::next_centre(power, h[n], sum[n]);
            if (size <= B) break;
        }
        if (lane < width && has_own()) op_.store_consecutive(own_part(centre), h);
    }

private:
    /// Computes the map of a segment: V and c (star/arithmetic.hpp).
    __device__ __forceinline__ void prepare(float* segment) const {
        const int group = static_cast<int>(threadIdx.x) % 32 / lanes;
        // Copies the leaves to the rows, from which the lanes can then read different leaves concurrently.
#pragma unroll
        for (int q = 0; q < B / groups; ++q) {
            const int i = group + groups * q;
            const int first = 4 * Op::Lanes::lane(0);
            float w[4] = {};
            if (op_.has_component(first)) op_.load_consecutive(leaf(segment, i) + Op::lane_offset(), w);
            *reinterpret_cast<float4*>(segment + i * row + first) = make_float4(w[0], w[1], w[2], w[3]);
        }
        __syncwarp();
        find_couplings(segment);
        __syncwarp();
        solve(segment);
    }
    /// Computes the couplings t_jm (StarMap) for m < j. Each lane multiplies two leaves (rows a and a + 8 of
    /// the segment) by two others (rows b and b + 8), so that each loaded leaf is used twice. The last four
    /// lanes compute the products of rows a and a + 8, two products each. Rows a and a + 8 are in the same
    /// banks, and the lanes of one load access eight rows in different banks.
    __device__ __forceinline__ void find_couplings(float* segment) const {
        static_assert(B == 16);
        const int lane = static_cast<int>(threadIdx.x) % 32, a = lane % (lane < 24 ? 8 : 4);
        const bool crosses = lane < 28;
        const int b = (a + min(lane / 8 + 1, 4)) % 8;
        const int left[2] = {a, crosses ? a + 8 : a + 4},
                  right[2] = {crosses ? b : a + 8, crosses ? b + 8 : a + 12};
        const float* const rows[4] = {segment + left[0] * row, segment + left[1] * row,
                                      segment + right[0] * row, segment + right[1] * row};
        const Products sum = Map::sum_chunks([&](int chunk) {
            Four x[4];
            Products part;
#pragma unroll
            for (int n = 0; n < 4; ++n) x[n] = four(rows[n] + 4 * chunk);
#pragma unroll
            for (int n = 0; n < 4; ++n) part.of[n] = Map::chunk_product(x[n / 2], x[2 + n % 2]);
            return part;
        });
#pragma unroll
        for (int n = 0; n < 4; ++n) {
            const int m = min(left[n / 2], right[n % 2]), j = max(left[n / 2], right[n % 2]);
            if (crosses || n % 3 == 0)
                segment[triangle_at + m * B + j] = Map::coupling(op_.rate, powers_[j - 1 - m], sum.of[n]);
        }
    }
    /// The four products of two rows with two other rows.
    struct Products {
        float of[4];
        __device__ __forceinline__ friend Products add(const Products& a, const Products& b) {
            Products sum;
#pragma unroll
            for (int n = 0; n < 4; ++n) sum.of[n] = lockstep::add(a.of[n], b.of[n]);
            return sum;
        }
    };

    /// Number of lanes that have components of a vector, and number of neighbouring components per lane.
    static constexpr int width = K < 32 ? K : 32, own = K / width;
    __device__ __forceinline__ static int first_own() {
        return own * (static_cast<int>(threadIdx.x) % width);
    }
    __device__ __forceinline__ bool has_own() const { return op_.has_component(first_own()); }
    /// Returns the address of this lane's components of a vector. For components after the last one, returns
    /// the address of the vector of zeros.
    __device__ __forceinline__ Address own_part(Address vector) const {
        return has_own() ? vector + Op::component_bytes * static_cast<Address>(first_own()) : null_;
    }
    /// Loads this lane's components of all leaves of a segment.
    __device__ __forceinline__ void take_own(const float* segment, float (&w)[B][own]) const {
#pragma unroll
        for (int e = 0; e < B; e += 4) {
            const Four leaves = four(segment + leaves_at + e);
#pragma unroll
            for (int d = 0; d < 4; ++d) op_.load_consecutive(own_part(leaves.address(d)), w[e + d]);
        }
    }

    /// The data of a segment that the warp that follows the chain has in registers: each lane has a part of a
    /// row of V, an element of c, and its components of all leaves.
    struct ChainRegisters {
        float v[Map::part], c, w[B][own];
    };
    /// Waits until other warps have computed the next segment of the star, loads its data into registers, and
    /// returns its address.
    __device__ __forceinline__ float* take_segment(Next& next, int places, ChainRegisters& held) const {
        const int lane = static_cast<int>(threadIdx.x) % 32, j = lane % B, part = lane / B;
        float* const segment = StarBuffers::take_next(next, places);
        take_own(segment, held.w);
        take_part(segment + j * row + part * Map::part, held.v);
        held.c = segment[j * row + K];
        return segment;
    }

    /// Updates the `size` edges of a segment of a star. Each lane processes its components of the vectors of
    /// all edges. If the components need fewer lanes than the warp has, the lanes divide among them the work
    /// of storing the vectors of the leaves.
    __device__ __forceinline__ void update(float* segment, int size, unsigned parity) const {
        float w[B][own];
        take_own(segment, w);
        StarBuffers::wait(segment, StarBuffers::followed, parity);
        constexpr int parts = 32 / width;
        const int part = static_cast<int>(threadIdx.x) % 32 / width;
        const Address first = Op::component_bytes * static_cast<Address>(first_own());
        float h[own];
#pragma unroll
        for (int n = 0; n < own; ++n) h[n] = segment[centre_at + first_own() + n];
#pragma unroll
        for (int e = 0; e < B; e += 4) {
            const Four leaves = four(segment + leaves_at + e), steps = four(segment + steps_at + e);
#pragma unroll
            for (int d = 0; d < 4; ++d) {
#pragma unroll
                for (int n = 0; n < own; ++n) update_ends(steps(d), op_.keep, w[e + d][n], h[n]);
                if (e + d < size && d % parts == part && has_own())
                    op_.store_consecutive(leaves.address(d) + first, w[e + d]);
            }
        }
        __syncwarp();  // all lanes must be done before the next segment is written
    }

    /// Returns one part of the dot product of a row of V and h.
    __device__ __forceinline__ static float part_product(const float (&v)[Map::part],
                                                         const float (&h)[Map::part]) {
        float sum[4];
#pragma unroll
        for (int i = 0; i < Map::part; ++i) Map::add_step(i, sum, v[i], h[i]);
        return add(add(sum[0], sum[1]), add(sum[2], sum[3]));
    }
    __device__ __forceinline__ static void take_part(const float* from, float (&to)[Map::part]) {
#pragma unroll
        for (int i = 0; i < Map::part; i += 4) {
            const Four part = four(from + i);
#pragma unroll
            for (int d = 0; d < 4; ++d) to[i + d] = part(d);
        }
    }
    __device__ __forceinline__ static Address leaf(const float* segment, int j) {
        return __float_as_uint(segment[leaves_at + j]);
    }
    /// Computes c and V, which replaces the leaves in the rows, by forward substitution. A lane solves all
    /// its columns together. If there are at least 32 columns, every lane also solves c, because it would
    /// take longer if one lane did this afterwards.
    __device__ __forceinline__ void solve(float* segment) const {
        constexpr int full = K / 32, columns = full + 1;  // number of columns of V per lane, and with c
        const int lane = static_cast<int>(threadIdx.x) % 32;
        if (full == 0 && lane > K) return;
        const bool has_c = full > 0 || lane == K;
        float v[columns][B];
#pragma unroll
        for (int n = 0; n < columns; ++n) {
            const bool is_c = n == full && has_c;
#pragma unroll
            for (int j = 0; j < B; ++j) {
                const float x = segment[is_c ? steps_at + j : j * row + lane + 32 * n];
                v[n][j] = Map::source(multiply(op_.rate, is_c ? 1 : powers_[j]), x);
            }
        }
#pragma unroll
        for (int m = 0; m < B; ++m) {
#pragma unroll
            for (int j = 0; j < B; j += 4) {
                if (j + 3 <= m) continue;
                const Four t = four(segment + triangle_at + m * B + j);
#pragma unroll
                for (int d = 0; d < 4; ++d) {
                    if (j + d <= m) continue;
#pragma unroll
                    for (int n = 0; n < columns; ++n)
                        v[n][j + d] = subtract_product(t(d), v[n][m], v[n][j + d]);
                }
            }
        }
#pragma unroll
        for (int n = 0; n < columns; ++n) {
            const bool is_c = n == full && has_c;
            if (is_c && full > 0 && lane > 0) continue;
#pragma unroll
            for (int j = 0; j < B; ++j) segment[j * row + (is_c ? K : lane + 32 * n)] = v[n][j];
        }
    }

    float *powers_, *scaled_;
};

}  // namespace lockstep::gpu
