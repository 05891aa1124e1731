// Long stars in a pipeline of warps, one segment a place at a time: a place's own warp prepares its segment,
// one warp for all places follows the chains from segment to segment and says what the steps are, and the
// place's warp updates the segment's edges. So all of them are at different segments.
#pragma once

#include "lockstep/executor/device/bulk.cuh"
#include "lockstep/executor/device/shared.cuh"

namespace lockstep::gpu {

/// What `Star` has in common with others: its places, of Star::place_floats floats each, with the leaves and
/// the values of a segment's edges at Star::leaves_at and Star::values_at and the two barriers of a place at
/// Star::barriers_at. Segment n of a block's, counted through all of its tiles, is that of place n modulo
/// `places`. Op's lanes are those of a warp (star/arithmetic.hpp).
template <class Star, class Op>
class StarPlaces {
public:
    using Address = std::uint32_t;      ///< in shared memory
    static constexpr int segment = 16;  ///< edges of one

    __device__ StarPlaces(const Op& op, float* places, Address null)
        : op_(op), places_(places), null_(null) {}

    /// The segment of a place, by the place's warp: `size` edges from `pairs` on. `parity` changes from one
    /// to the next.
    __device__ __forceinline__ void run(int place, unsigned parity, Address pairs, int size,
                                        Address leaves) const {
        const auto& star = static_cast<const Star&>(*this);
        float* const own = places_ + place * Star::place_floats;
        list_edges(own, pairs, size, leaves);
        star.prepare(own);
        pass(own, prepared);
        star.update(own, size, parity);
    }

    /// The same in two parts, of edges from elsewhere; each of the first `size` lanes has the leaf and the
    /// value of one.
    __device__ __forceinline__ void begin(int place, int size, Address leaf, float value) const {
        float* const own = places_ + place * Star::place_floats;
        const int lane = static_cast<int>(threadIdx.x) % 32;
        if (lane < segment) {
            own[Star::leaves_at + lane] = __uint_as_float(lane < size ? leaf : null_);
            own[Star::values_at + lane] = lane < size ? value : 0;
        }
        __syncwarp();
        static_cast<const Star&>(*this).prepare(own);
        pass(own, prepared);
    }
    __device__ __forceinline__ void finish(int place, int size, unsigned parity) const {
        static_cast<const Star&>(*this).update(places_ + place * Star::place_floats, size, parity);
    }

    /// Where the warp that follows the chains is.
    struct Next {
        int place;
        unsigned parity;
    };

protected:
    /// Four neighbouring words.
    struct Four {
        float x[4];
        __device__ __forceinline__ float operator()(int i) const { return x[i]; }
        __device__ __forceinline__ Address address(int i) const { return __float_as_uint(x[i]); }
    };
    __device__ __forceinline__ static Four four(const float* from) {
        const float4 words = *reinterpret_cast<const float4*>(from);
        return {words.x, words.y, words.z, words.w};
    }
    /// One that is passed when the segment is prepared, one that is when it is followed.
    enum Stage { prepared, followed };
    static constexpr int barrier_floats = 4;

    __device__ static void initialise_places(float* first, int places) {
        for (int i = 0; i < places; ++i) {
            for (const Stage stage : {prepared, followed})
                barrier(first + i * Star::place_floats, stage).initialise(32);
        }
    }
    __device__ __forceinline__ static BulkBarrier& barrier(float* segment, Stage stage) {
        return reinterpret_cast<BulkBarrier*>(segment + Star::barriers_at)[stage];
    }
    /// What the warp has written is there for who waits, and for its own lanes.
    __device__ __forceinline__ static void pass(float* segment, Stage stage) {
        __syncwarp();
        barrier(segment, stage).arrive();
    }
    /// All lanes are there afterwards.
    __device__ __forceinline__ static void wait(float* segment, Stage stage, unsigned parity) {
        barrier(segment, stage).wait(parity);
        __syncwarp();
    }
    /// The next segment, once it is prepared.
    __device__ __forceinline__ float* take_next(Next& next, int places) const {
        float* const own = places_ + next.place * Star::place_floats;
        wait(own, prepared, next.parity);
        if (++next.place == places) next = {0, next.parity ^ 1};
        return own;
    }

    const Op& op_;
    float* places_;
    Address null_;

private:
    /// Where the leaves' vectors are, and the values; missing leaves are the vector of zeros.
    __device__ __forceinline__ void list_edges(float* own, Address pairs, int size, Address leaves) const {
        const int lane = static_cast<int>(threadIdx.x) % 32;
        if (lane < segment) {
            const bool there = lane < size;
            const Address edge = pairs + 16 * (lane / 2) + 4 * (lane % 2);
            own[Star::leaves_at + lane] = __uint_as_float(there ? leaves + load_word(edge) : null_);
            own[Star::values_at + lane] = there ? __uint_as_float(load_word(edge + 8)) : 0;
        }
        __syncwarp();
    }
};

}  // namespace lockstep::gpu
