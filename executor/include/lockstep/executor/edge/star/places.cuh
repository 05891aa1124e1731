// Long stars in a pipeline of warps. The pipeline has several places, each of which contains one segment of a
// star at a time. Each place has a warp that prepares its segment. One further warp follows the chain from
// segment to segment and computes their steps. Then the warp of the place updates the edges of the segment.
// So different segments are prepared, followed and updated concurrently.
#pragma once

#include "lockstep/executor/device/bulk.cuh"
#include "lockstep/executor/device/shared.cuh"

namespace lockstep::gpu {

/// Base class of both methods for long stars, `Star`. It manages the places, which have Star::place_floats
/// floats each. A place contains the leaves and the values of a segment's edges at Star::leaves_at and
/// Star::values_at, and two barriers at Star::barriers_at. The n-th segment of a thread block, counted
/// through all of its tiles, uses place n modulo `places`. All lanes of a warp process a segment together (Op
/// has WarpLanes).
template <class Star, class Op>
class StarPlaces {
public:
    using Address = std::uint32_t;      ///< address in shared memory
    static constexpr int segment = 16;  ///< number of edges per segment

    __device__ StarPlaces(const Op& op, float* places, Address null)
        : op_(op), places_(places), null_(null) {}

    /// Processes one segment with the warp of its place: `size` edges, stored from `pairs` on. `parity` must
    /// alternate from segment to segment.
    __device__ __forceinline__ void run(int place, unsigned parity, Address pairs, int size,
                                        Address leaves) const {
        const auto& star = static_cast<const Star&>(*this);
        float* const own = places_ + place * Star::place_floats;
        list_edges(own, pairs, size, leaves);
        star.prepare(own);
        pass(own, prepared);
        star.update(own, size, parity);
    }

    /// The two parts of run(), for edges that are stored elsewhere. Each of the first `size` lanes passes the
    /// leaf and the value of one edge.
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

    /// The segment that is processed next: its place in shared memory, and the parity of the barriers there.
    struct Next {
        int place;
        unsigned parity;
    };

protected:
    /// Four consecutive words of shared memory.
    struct Four {
        float x[4];
        __device__ __forceinline__ float operator()(int i) const { return x[i]; }
        __device__ __forceinline__ Address address(int i) const { return __float_as_uint(x[i]); }
    };
    __device__ __forceinline__ static Four four(const float* from) {
        const float4 words = *reinterpret_cast<const float4*>(from);
        return {words.x, words.y, words.z, words.w};
    }
    /// The two barriers of a place. The first one completes when the segment is prepared, the second one when
    /// the steps of the segment are known.
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
    /// Arrives at the barrier of a stage. Warps that wait for it, and all lanes of this warp, then see all
    /// previous writes of this warp.
    __device__ __forceinline__ static void pass(float* segment, Stage stage) {
        __syncwarp();
        barrier(segment, stage).arrive();
    }
    /// Waits for the barrier of a stage, and then synchronizes the lanes of this warp.
    __device__ __forceinline__ static void wait(float* segment, Stage stage, unsigned parity) {
        barrier(segment, stage).wait(parity);
        __syncwarp();
    }
    /// Waits until the next segment is prepared, returns it, and advances `next`.
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
    /// Stores the addresses of the leaves' vectors, and the values of the edges, in a place. Missing edges
    /// get the vector of zeros as leaf.
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
