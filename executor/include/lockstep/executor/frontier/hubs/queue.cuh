// The lists that a push of the hub-first walk goes through, in pieces of equal size.
#pragma once

#include "lockstep/executor/frontier/hubs/device.cuh"

namespace lockstep::gpu::hubs {

constexpr int chunk_quads = 32;  ///< a warp's step: 128 arcs

/// Lists to be pushed, in pieces of at most chunk_quads: {first quad, quad behind the last, value, 0}. When
/// it is full, what is appended is lost, and its size says so: the caller then pulls.
struct Queue {
    uint4* pieces;
    EdgeId capacity;
};

/// Appends the lists of up to `count` vertices a lane, where `has`, each with its value: one atomic operation
/// a warp. All lanes.
template <int count>
__device__ __forceinline__ void append(const Arcs& out, const Queue& queue, unsigned long long* queued,
                                       const bool (&has)[count], const std::uint32_t (&vertex)[count],
                                       const std::uint32_t (&value)[count], std::uint32_t lane) {
    bool any = false;
#pragma unroll
    for (int i = 0; i < count; ++i) any |= has[i];
    if (!__any_sync(~0U, any)) return;
    std::uint32_t first[count], last[count], pieces[count], mine = 0;
#pragma unroll
    for (int i = 0; i < count; ++i) {
        first[i] = has[i] ? __ldg(out.first + vertex[i]) : 0;
        last[i] = has[i] ? __ldg(out.first + vertex[i] + 1) : 0;
    }
#pragma unroll
    for (int i = 0; i < count; ++i) mine += pieces[i] = (last[i] - first[i] + chunk_quads - 1) / chunk_quads;
    const std::uint32_t sum = inclusive_sum(mine, lane);
    const std::uint32_t all = __shfl_sync(~0U, sum, 31);
    unsigned long long base = 0;
    if (lane == 0) base = atomicAdd(queued, static_cast<unsigned long long>(all));
    base = __shfl_sync(~0U, base, 0);
    if (base + all > queue.capacity) return;
    std::uint32_t at = static_cast<std::uint32_t>(base) + sum - mine;
#pragma unroll
    for (int i = 0; i < count; ++i) {
        if (pieces[i] <= 4)
            for (std::uint32_t p = 0; p < pieces[i]; ++p)
                queue.pieces[at + p] = make_uint4(
                    first[i] + p * chunk_quads, min(first[i] + (p + 1) * chunk_quads, last[i]), value[i], 0);
        for_each_bit(__ballot_sync(~0U, pieces[i] > 4), [&](int l) {
            const std::uint32_t f = __shfl_sync(~0U, first[i], l), e = __shfl_sync(~0U, last[i], l),
                                n = __shfl_sync(~0U, pieces[i], l), a = __shfl_sync(~0U, at, l),
                                x = __shfl_sync(~0U, value[i], l);
            for (std::uint32_t p = lane; p < n; p += 32)
                queue.pieces[a + p] =
                    make_uint4(f + p * chunk_quads, min(f + (p + 1) * chunk_quads, e), x, 0);
        });
        at += pieces[i];
    }
}

/// The lists of a source's neighbours, as pieces that every block numbers for itself: two rounds in one.
template <int threads>
class Neighbours {
public:
    struct Shared {
        std::uint32_t ends[threads], first[threads], last[threads];
        std::uint32_t of_warp[32];
    };

    /// `end` is the thread's neighbour, where it `has` one. All threads of the block.
    __device__ Neighbours(Shared& shared, const Arcs& out, bool has, std::uint32_t end, const Place& me)
        : shared_(shared) {
        const std::uint32_t first = has ? __ldg(out.first + end) : 0,
                            last = has ? __ldg(out.first + end + 1) : 0;
        std::uint32_t sum = inclusive_sum((last - first + chunk_quads - 1) / chunk_quads, me.lane);
        if (me.lane == 31) shared.of_warp[me.warp] = sum;
        __syncthreads();
        if (me.warp == 0) {
            const std::uint32_t of_warp = me.lane < threads / 32 ? shared.of_warp[me.lane] : 0;
            __syncwarp();
            shared.of_warp[me.lane] = inclusive_sum(of_warp, me.lane);
        }
        __syncthreads();
        if (me.warp) sum += shared.of_warp[me.warp - 1];
        shared.ends[threadIdx.x] = sum;
        shared.first[threadIdx.x] = first;
        shared.last[threadIdx.x] = last;
        __syncthreads();
    }
    __device__ std::uint32_t pieces() const { return shared_.ends[threads - 1]; }
    /// Neighbour that piece i is of, and its first quad and the quad behind its last.
    __device__ int find(std::uint32_t i, std::uint32_t* first, std::uint32_t* last) const {
        int low = 0, high = threads - 1;
        while (low < high) {
            const int middle = (low + high) / 2;
            if (shared_.ends[middle] > i)
                high = middle;
            else
                low = middle + 1;
        }
        *first = shared_.first[low] + (i - (low ? shared_.ends[low - 1] : 0)) * chunk_quads;
        *last = min(*first + chunk_quads, shared_.last[low]);
        return low;
    }

private:
    const Shared& shared_;
};

}  // namespace lockstep::gpu::hubs
