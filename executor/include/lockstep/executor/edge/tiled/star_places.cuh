// Long stars in a pipeline of warps, one segment a place at a time: a place's own warp prepares its segment,
// one warp for all places follows the chains from segment to segment and says what the steps are, and the
// place's warp updates the segment's edges. So all of them are at different segments.
#pragma once

#include "lockstep/executor/device/bulk.cuh"

namespace lockstep::gpu {

/// What `Star` has in common with others: its places, of Star::place_floats floats each, and the two barriers
/// of a place at Star::barriers_at. Segment n of a block's, counted through all of its tiles, is that of
/// place n modulo `places`.
template <class Star>
class StarPlaces {
public:
    /// Where the warp that follows the chains is.
    struct Next {
        int place;
        unsigned parity;
    };

protected:
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
    __device__ __forceinline__ static float* take_next(Next& next, float* first, int places) {
        float* const segment = first + next.place * Star::place_floats;
        wait(segment, prepared, next.parity);
        if (++next.place == places) next = {0, next.parity ^ 1};
        return segment;
    }
    /// Where the leaves' vectors are, and the values; missing leaves are the vector of zeros.
    template <int edges>
    __device__ __forceinline__ static void list_edges(float* leaves_to, float* values_to, std::uint32_t pairs,
                                                      int size, std::uint32_t leaves, std::uint32_t null) {
        const int lane = static_cast<int>(threadIdx.x) % 32;
        if (lane < edges) {
            const bool there = lane < size;
            const std::uint32_t edge = pairs + 16 * (lane / 2) + 4 * (lane % 2);
            leaves_to[lane] = __uint_as_float(there ? leaves + load_word(edge) : null);
            values_to[lane] = there ? __uint_as_float(load_word(edge + 8)) : 0;
        }
        __syncwarp();
    }
};

}  // namespace lockstep::gpu
