// Common code of bins and edge tiles on the GPU. The offers of the first vertices of the order, which many
// other vertices read, are kept in shared memory: a gather from shared memory accesses one bank, a gather
// from L1 a whole cache line.
#pragma once

#include "lockstep/executor/arc/rounds.cuh"
#include "lockstep/executor/arc/tiles.hpp"

namespace lockstep::gpu {

/// Offers of the hot vertices in shared memory, fetched once per round by each block.
template <ArcOperator Op>
struct Hot {
    using Value = typename Op::Value;
    const Value* values;
    VertexId count;

    __device__ Hot(VertexId hot, const Op& op, unsigned char* shared)
        : values(reinterpret_cast<Value*>(shared)), count(hot) {
        for (VertexId u = threadIdx.x; u < count; u += blockDim.x)
            reinterpret_cast<Value*>(shared)[u] = op.offer(u);
        __syncthreads();
    }
    __device__ __forceinline__ Value offer(const Op& op, VertexId u) const {
        return u < count ? values[u] : op.offer(u);
    }
    /// Returns the offer of `u` that arrives by arc `e`, as a term of a sum.
    __device__ __forceinline__ typename Op::Sum operator()(const Op& op, VertexId u,
                                                           const arc::WeightsView& weights, EdgeId e) const {
        return Op::lift(arriving<Op>(offer(op, u), weights, e));
    }
    /// Returns the bytes of `values`, rounded up to a multiple of 16.
    __device__ std::size_t bytes() const { return (count * sizeof(Value) + 15) / 16 * 16; }
};

/// Common base of both views: one block per multiprocessor, with the maximum number of threads.
struct OnChip {
    static constexpr int threads = 1024, blocks_per_sm = 1, warps = threads / 32;
    static constexpr bool scatters = false;
    VertexId vertices, hot_vertices, tile_count;

    explicit OnChip(const arc::Tiles& plan)
        : vertices(plan.vertices), hot_vertices(plan.hot), tile_count(plan.tile_count()) {}
    /// Reduces the number of hot vertices until their offers fit into shared memory in addition to `other`
    /// bytes. Returns the bytes of both.
    template <class Value>
    std::size_t fit(std::size_t other) {
        constexpr std::size_t reserved = 1024;  // bytes for the static shared memory of the kernel
        const std::size_t room = gpu::device_properties().shared_bytes - reserved - other;
        hot_vertices =
            static_cast<VertexId>(std::min<std::size_t>(hot_vertices, room / 16 * 16 / sizeof(Value)));
        return (hot_vertices * sizeof(Value) + 15) / 16 * 16 + other;
    }
    static_assert(warps == 32, "over_block adds the results of 32 warps");
    __device__ static int warp() { return static_cast<int>(threadIdx.x) / 32; }
    __device__ static int lane() { return static_cast<int>(lane_of_warp()); }
    /// Calls work(tile) for the tiles [first, last), one warp per tile. Without `draw`, tiles are assigned
    /// round-robin, so that neighbouring tiles share an L1 cache. With `draw`, each tile is claimed by the
    /// next free warp, because hubs delay some blocks.
    template <class Work>
    __device__ static void each_tile(VertexId first, VertexId last, bool draw, unsigned* drawn, Work work) {
        const auto next = [&](VertexId t) {
            if (!draw) return t + gridDim.x * warps;
            unsigned mine = 0;
            if (lane() == 0) mine = atomicAdd(drawn, 1U);
            return first + gridDim.x * warps + __shfl_sync(~0U, mine, 0);
        };
        for (VertexId t = first + blockIdx.x * warps + static_cast<VertexId>(warp()); t < last;) {
            const VertexId coming = next(t);  // the claim of the next tile overlaps the work
            work(t);
            t = coming;
        }
    }

    /// Combines `sum` over the block and returns the result in thread 0.
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
