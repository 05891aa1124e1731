// Long stars in shared memory, four edges at a time (StarEdges in star/arithmetic.hpp), for operators that do
// not use segments with affine maps. The warp of a place computes the dot products of the leaves with each
// other. The warp that follows the chain computes only the dot products with the centre.
#pragma once

#include "lockstep/executor/edge/star/arithmetic.hpp"
#include "lockstep/executor/edge/star/places.cuh"

namespace lockstep::gpu {

/// A long star that is processed four edges at a time. If a vector needs fewer threads than a warp has, all
/// lane groups of the warp do the same work, and only the first group stores the results.
template <class Op>
class LongStarFours : public StarPlaces<LongStarFours<Op>, Op> {
    using StarBuffers = StarPlaces<LongStarFours<Op>, Op>;
    friend StarBuffers;
    using StarBuffers::four, StarBuffers::op_;
    using typename StarBuffers::Address;
    using Vector = typename Op::Row;
    using Edges = StarEdges<4>;
    static constexpr int K = Op::components, B = StarBuffers::segment;

public:
    /// The layout of a place in floats: the steps, leaves and values of the edges, eight floats for the
    /// couplings of each four edges, and the centre before the segment.
    static constexpr int steps_at = 0, leaves_at = steps_at + B, values_at = leaves_at + B,
                         couplings_at = values_at + B, centre_at = couplings_at + 2 * B,
                         barriers_at = centre_at + K,
                         place_floats = barriers_at + StarBuffers::barrier_floats;
    using typename StarBuffers::Next;
    static constexpr int fixed_floats = 0;
    __device__ static void initialise(const Op&, float* memory, int places) {
        StarBuffers::initialise_places(memory, places);
    }
    using StarBuffers::StarBuffers;

    /// Follows the chain of a star of `size` edges through its segments: computes their steps, and the centre
    /// before each of them. The centre stays in single precision until the end.
    __device__ __forceinline__ void follow(Next& next, int places, Address centre, int size) const {
        const Address own = centre + Op::lane_offset();
        Vector h = op_.load_lane(own);
#pragma unroll 1
        for (; size > 0; size -= B) {
            float* const segment = StarBuffers::take_next(next, places);
            op_.template store_lane<float>(centre_before(segment), h, stores());
            PrefetchedEdges fetched[2];
            fetch(fetched[0], segment, 0);
#pragma unroll
            for (int e = 0; e < B; e += 4) {
                if (e + 4 < B) fetch(fetched[(e / 4 + 1) % 2], segment, e + 4);
                PrefetchedEdges& now = fetched[e / 4 % 2];
                float product[4][Op::Lanes::held], step[4];
#pragma unroll
                for (int j = 0; j < 4; ++j) Op::partial_dot(now.leaf[j], h, product[j]);
                Op::Lanes::sum_each(product);
                Edges::find_steps(op_.rate, op_.keep, product, now.coupling, now.rating, step);
                if (threadIdx.x % 32 == 0) {
                    *reinterpret_cast<float4*>(segment + steps_at + e) =
                        make_float4(step[0], step[1], step[2], step[3]);
                }
#pragma unroll
                for (int j = 0; j < 4; ++j) {
                    const Vector before = h;
                    op_.update(now.leaf[j], h, step[j]);
                    if (e + j >= size) h = before;
                }
            }
            StarBuffers::pass(segment, StarBuffers::followed);
        }
        op_.store_lane(own, h, stores());
    }

private:
    __device__ __forceinline__ void prepare(float* segment) const {
#pragma unroll 1
        for (int e = 0; e < B; e += 4) find_couplings(segment, e);
    }
    __device__ __forceinline__ static bool stores() { return threadIdx.x % 32 < Op::Lanes::threads; }
    __device__ __forceinline__ static Address centre_before(const float* segment) {
        return shared_address(segment + centre_at) + Op::template lane_offset<float>();
    }
    /// Four leaves: the addresses of this lane's part of each vector, and its components.
    struct Leaves {
        Address at[4];
        Vector leaf[4];
    };
    __device__ __forceinline__ Leaves take_leaves(const float* segment, int e) const {
        const auto address = four(segment + leaves_at + e);
        const Address own = Op::lane_offset();
        Leaves leaves;
#pragma unroll
        for (int j = 0; j < 4; ++j) leaves.at[j] = address.address(j) + own;
#pragma unroll
        for (int j = 0; j < 4; ++j) leaves.leaf[j] = op_.load_lane(leaves.at[j]);
        return leaves;
    }
    __device__ __forceinline__ void find_couplings(float* segment, int e) const {
        float product[Edges::products][Op::Lanes::held], coupling[Edges::products];
        Edges::multiply_leaves<Op>(take_leaves(segment, e).leaf, product);
        Op::Lanes::sum_each(product);
        Edges::find_couplings(op_.keep, product, coupling);
        if (threadIdx.x % 32 == 0) {
            float* const to = segment + couplings_at + 2 * e;
            *reinterpret_cast<float4*>(to) = make_float4(coupling[0], coupling[1], coupling[2], coupling[3]);
            *reinterpret_cast<float2*>(to + 4) = make_float2(coupling[4], coupling[5]);
        }
    }
    /// The data of four edges that the warp that follows the chain loads in advance.
    struct PrefetchedEdges : Leaves {
        float coupling[6], rating[4];
    };
    __device__ __forceinline__ void fetch(PrefetchedEdges& to, const float* segment, int e) const {
        static_cast<Leaves&>(to) = take_leaves(segment, e);
        const float* const couplings = segment + couplings_at + 2 * e;
        const auto first = four(couplings), rating = four(segment + values_at + e);
        const float2 last = *reinterpret_cast<const float2*>(couplings + 4);
#pragma unroll
        for (int j = 0; j < 4; ++j) to.coupling[j] = first(j), to.rating[j] = rating(j);
        to.coupling[4] = last.x, to.coupling[5] = last.y;
    }
    /// Updates the `size` edges of a segment, after their steps have been computed.
    __device__ __forceinline__ void update(float* segment, int size, unsigned parity) const {
        StarBuffers::wait(segment, StarBuffers::followed, parity);
        Vector h = op_.template load_lane<float>(centre_before(segment));
#pragma unroll 1
        for (int e = 0; e < size; e += 4) {
            Leaves leaves = take_leaves(segment, e);
            const auto step = four(segment + steps_at + e);
            // no group may store before all groups have loaded the leaves
            if (Op::Lanes::threads < 32) __syncwarp();
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                op_.update(leaves.leaf[j], h, step(j));
                op_.store_lane(leaves.at[j], leaves.leaf[j], stores() && e + j < size);
            }
        }
        __syncwarp();  // all lanes must be done before the next segment is written
    }
};

}  // namespace lockstep::gpu
