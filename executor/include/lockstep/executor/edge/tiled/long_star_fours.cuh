// Long stars that are not mapped (star.hpp, StarFours), on chip: a place's warp finds the products of the
// leaves with each other, four edges at a time; who follows the chain only those with the centre.
#pragma once

#include "lockstep/executor/edge/tiled/star.hpp"
#include "lockstep/executor/edge/tiled/star_places.cuh"

namespace lockstep::gpu {

/// Op's lanes are those of a warp (star.hpp). Where a vector takes fewer threads than a warp has, all groups
/// of a warp do the same, and the first one stores.
template <class Op>
class LongStarFours : public StarPlaces<LongStarFours<Op>> {
    using Places = StarPlaces<LongStarFours<Op>>;
    using Vector = typename Op::Row;
    using Address = std::uint32_t;  ///< in shared memory
    using Fours = StarFours<Op>;
    static constexpr int K = Op::components, B = 16;  ///< edges of a segment

public:
    static constexpr int segment = B;
    /// A place: steps, leaves, ratings, eight floats for the couplings of four edges, the centre before.
    static constexpr int steps_at = 0, leaves_at = steps_at + B, ratings_at = leaves_at + B,
                         couplings_at = ratings_at + B, centre_at = couplings_at + 2 * B,
                         barriers_at = centre_at + K, place_floats = barriers_at + Places::barrier_floats;
    using typename Places::Next;
    static constexpr int fixed_floats = 0;
    __device__ static void initialise(const Op&, float* memory, int places) {
        Places::initialise_places(memory, places);
    }

    __device__ LongStarFours(const Op& op, float* memory, Address null)
        : op_(op), places_(memory), null_(null) {}

    /// The segment of a place, by the place's warp: `size` edges from `pairs` on. `parity` changes from one
    /// to the next.
    __device__ __forceinline__ void run(int place, unsigned parity, Address pairs, int size,
                                        Address leaves) const {
        float* const segment = places_ + place * place_floats;
        Places::template list_edges<B>(segment + leaves_at, segment + ratings_at, pairs, size, leaves, null_);
#pragma unroll 1
        for (int e = 0; e < B; e += 4) find_couplings(segment, e);
        Places::pass(segment, Places::prepared);
        Places::wait(segment, Places::followed, parity);
        update(segment, size);
    }

    /// A star of `size` edges, the next segments: their steps and the centres before them. The centre stays
    /// in single precision until the end.
    __device__ __forceinline__ void follow(Next& next, int places, Address centre, int size) const {
        const Address own = centre + Op::lane_offset();
        Vector h = op_.take_lane(own);
#pragma unroll 1
        for (; size > 0; size -= B) {
            float* const segment = Places::take_next(next, places_, places);
            op_.template put_lane<float>(centre_before(segment), h, stores());
            Four fours[2];
            fetch(fours[0], segment, 0);
#pragma unroll
            for (int e = 0; e < B; e += 4) {
                if (e + 4 < B) fetch(fours[(e / 4 + 1) % 2], segment, e + 4);
                Four& four = fours[e / 4 % 2];
                float product[4][Op::Lanes::held], step[4];
#pragma unroll
                for (int j = 0; j < 4; ++j) Op::partial_dot(four.leaf[j], h, product[j]);
                Op::Lanes::sum_each(product);
                Fours::find_steps(op_, product, four.coupling, four.rating, step);
                if (threadIdx.x % 32 == 0) {
                    *reinterpret_cast<float4*>(segment + steps_at + e) =
                        make_float4(step[0], step[1], step[2], step[3]);
                }
#pragma unroll
                for (int j = 0; j < 4; ++j) {
                    const Vector before = h;
                    op_.update(four.leaf[j], h, step[j]);
                    if (e + j >= size) h = before;
                }
            }
            Places::pass(segment, Places::followed);
        }
        op_.put_lane(own, h, stores());
    }

private:
    __device__ __forceinline__ static bool stores() { return threadIdx.x % 32 < Op::Lanes::threads; }
    __device__ __forceinline__ static Address centre_before(const float* segment) {
        return shared_address(segment + centre_at) + Op::template lane_offset<float>();
    }
    /// The addresses of four leaves, of this lane's first chunks.
    struct Leaves {
        Address at[4];
    };
    __device__ __forceinline__ static Leaves leaves(const float* segment, int e) {
        const uint4 at = *reinterpret_cast<const uint4*>(segment + leaves_at + e);
        const Address own = Op::lane_offset();
        return {at.x + own, at.y + own, at.z + own, at.w + own};
    }
    __device__ __forceinline__ void find_couplings(float* segment, int e) const {
        const Leaves at = leaves(segment, e);
        Vector leaf[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) leaf[j] = op_.take_lane(at.at[j]);
        float coupling[6];
        Fours::find_couplings(op_, leaf, coupling);
        if (threadIdx.x % 32 == 0) {
            float* const to = segment + couplings_at + 2 * e;
            *reinterpret_cast<float4*>(to) = make_float4(coupling[0], coupling[1], coupling[2], coupling[3]);
            *reinterpret_cast<float2*>(to + 4) = make_float2(coupling[4], coupling[5]);
        }
    }
    /// What who follows the chain needs of four edges.
    struct Four {
        Vector leaf[4];
        float coupling[6], rating[4];
    };
    __device__ __forceinline__ void fetch(Four& four, const float* segment, int e) const {
        const Leaves at = leaves(segment, e);
#pragma unroll
        for (int j = 0; j < 4; ++j) four.leaf[j] = op_.take_lane(at.at[j]);
        const float* const from = segment + couplings_at + 2 * e;
        const float4 a = *reinterpret_cast<const float4*>(from),
                     r = *reinterpret_cast<const float4*>(segment + ratings_at + e);
        const float2 b = *reinterpret_cast<const float2*>(from + 4);
        four.coupling[0] = a.x, four.coupling[1] = a.y, four.coupling[2] = a.z, four.coupling[3] = a.w;
        four.coupling[4] = b.x, four.coupling[5] = b.y;
        four.rating[0] = r.x, four.rating[1] = r.y, four.rating[2] = r.z, four.rating[3] = r.w;
    }
    /// The edges of a segment of `size`.
    __device__ __forceinline__ void update(const float* segment, int size) const {
        Vector h = op_.template take_lane<float>(centre_before(segment));
#pragma unroll 1
        for (int e = 0; e < size; e += 4) {
            const Leaves at = leaves(segment, e);
            const float4 s = *reinterpret_cast<const float4*>(segment + steps_at + e);
            const float step[4] = {s.x, s.y, s.z, s.w};
            Vector leaf[4];
#pragma unroll
            for (int j = 0; j < 4; ++j) leaf[j] = op_.take_lane(at.at[j]);
            if (Op::Lanes::threads < 32) __syncwarp();  // all groups have read
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                op_.update(leaf[j], h, step[j]);
                op_.put_lane(at.at[j], leaf[j], stores() && e + j < size);
            }
        }
        __syncwarp();  // before the next segment is written
    }

    const Op& op_;
    float* places_;
    Address null_;
};

}  // namespace lockstep::gpu
