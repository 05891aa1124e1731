// Common code of the walks `bins` and `edge_tiled` on the GPU. The values that the first vertices of the
// order offer are kept in shared memory, because many other vertices read them (hot vertices). A read from
// shared memory accesses one bank, while a read from the L1 cache accesses a whole cache line.
#pragma once

#include "lockstep/executor/arc/rounds.cuh"
#include "lockstep/executor/arc/tiles.hpp"

namespace lockstep::gpu {

/// The offers of the hot vertices in shared memory. Each thread block reads them from device memory once per
/// round.
template <ArcOperator Op>
struct HotValues {
    using Value = typename Op::Value;
    const Value* values;
    VertexId count;

    __device__ HotValues(VertexId hot, const Op& op, unsigned char* shared)
        : values(reinterpret_cast<Value*>(shared)), count(hot) {
        for (VertexId u = threadIdx.x; u < count; u += blockDim.x)
            reinterpret_cast<Value*>(shared)[u] = op.offer(u);
        __syncthreads();
    }
    __device__ __forceinline__ Value offer(const Op& op, VertexId u) const {
        return u < count ? values[u] : op.offer(u);
    }
    /// Returns the value that arrives from source `u` along arc `e`, converted to a sum of one term.
    __device__ __forceinline__ typename Op::Sum operator()(const Op& op, VertexId u,
                                                           const arc::WeightsView& weights, EdgeId e) const {
        return Op::to_sum(arriving<Op>(offer(op, u), weights, e));
    }
    /// Returns the bytes of shared memory that the offers occupy, a multiple of 16.
    __device__ std::size_t bytes() const { return (count * sizeof(Value) + 15) / 16 * 16; }
};

/// Common base of the views of both walks. A multiprocessor runs one thread block with the maximum number of
/// threads.
struct SharedMemoryTiles {
    static constexpr int threads = 1024, blocks_per_sm = 1, warps = threads / 32;
    static constexpr bool scatters = false;
    VertexId vertices, hot_vertices, tile_count;

    explicit SharedMemoryTiles(const arc::Tiles& plan)
        : vertices(plan.vertices), hot_vertices(plan.hot), tile_count(plan.tile_count()) {}
    /// Reduces the number of hot vertices until their offers and `other` bytes fit in shared memory. Returns
    /// the total number of bytes.
    template <class Value>
    std::size_t fit(std::size_t other) {
        // bytes that are reserved for the static shared memory of the kernel
        constexpr std::size_t reserved = 1024;
        const std::size_t available_bytes = gpu::device_properties().shared_bytes - reserved - other;
        hot_vertices = static_cast<VertexId>(
            std::min<std::size_t>(hot_vertices, available_bytes / 16 * 16 / sizeof(Value)));
        return (hot_vertices * sizeof(Value) + 15) / 16 * 16 + other;
    }
    static_assert(warps == 32, "over_block adds the results of 32 warps");
    __device__ static int warp() { return static_cast<int>(threadIdx.x) / 32; }
    __device__ static int lane() { return static_cast<int>(lane_of_warp()); }
    /// Calls work(tile) for the tiles [first, last), with one warp per tile. If not `dynamic`, tiles are
    /// assigned round-robin, so that neighbouring tiles use the same L1 cache. If `dynamic`, warps claim
    /// tiles from the counter `drawn` when they are free, because hubs delay some thread blocks.
    template <class Work>
    __device__ static void for_each_assigned_tile(VertexId first, VertexId last, bool dynamic,
                                                  unsigned* drawn, Work work) {
        const auto next = [&](VertexId t) {
            if (!dynamic) return t + gridDim.x * warps;
            unsigned mine = 0;
            if (lane() == 0) mine = atomicAdd(drawn, 1U);
            return first + gridDim.x * warps + __shfl_sync(~0U, mine, 0);
        };
        for (VertexId t = first + blockIdx.x * warps + static_cast<VertexId>(warp()); t < last;) {
            // the latency of claiming the next tile is hidden behind the work on this one
            const VertexId coming = next(t);
            work(t);
            t = coming;
        }
    }

    /// Combines the values `sum` of all threads of the block. Only thread 0 gets the result.
    template <class Op>
    __device__ static typename Op::Sum over_block(typename Op::Sum sum) {
        __shared__ typename Op::Sum part[warps];
        sum = over_lanes(sum, Op::combine);
        if (lane() == 0) part[warp()] = sum;
        __syncthreads();
        sum = over_lanes(part[lane()], Op::combine);
        __syncthreads();
        return sum;
    }
};

}  // namespace lockstep::gpu
