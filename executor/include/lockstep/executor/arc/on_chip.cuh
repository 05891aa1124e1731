// What bins and edge tiles share on the GPU: what the first vertices of the order offer, which many others
// ask for, is kept in shared memory. A gather there costs a bank, one in L1 a whole line.
#pragma once

#include "lockstep/executor/arc/rounds.cuh"
#include "lockstep/executor/arc/tiles.hpp"

namespace lockstep::gpu {

/// What the hot vertices offer, fetched once a round by each block.
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
    /// As part of a sum, by arc e.
    __device__ __forceinline__ typename Op::Sum operator()(const Op& op, VertexId u,
                                                           const arc::WeightsView& weights, EdgeId e) const {
        return Op::lift(arriving<Op>(offer(op, u), weights, e));
    }
    /// Bytes that `values` take, a multiple of 16.
    __device__ std::size_t bytes() const { return (count * sizeof(Value) + 15) / 16 * 16; }
};

/// The beginning of both views: a block of all threads a multiprocessor.
struct OnChip {
    static constexpr int threads = 1024, blocks_per_sm = 1, warps = threads / 32;
    static constexpr bool scatters = false;
    VertexId vertices, hot_vertices, tile_count;

    explicit OnChip(const arc::Tiles& plan)
        : vertices(plan.vertices), hot_vertices(plan.hot), tile_count(plan.tile_count()) {}
    /// Cuts the hot vertices to what fits beside `other` bytes; returns the bytes of both.
    template <class Value>
    std::size_t fit(std::size_t other) {
        constexpr std::size_t reserved = 1024;  // static shared memory of the kernel
        const std::size_t room = gpu::device_properties().shared_bytes - reserved - other;
        hot_vertices =
            static_cast<VertexId>(std::min<std::size_t>(hot_vertices, room / 16 * 16 / sizeof(Value)));
        return (hot_vertices * sizeof(Value) + 15) / 16 * 16 + other;
    }
    static_assert(warps == 32, "over_block adds the results of 32 warps");
    __device__ static int warp() { return static_cast<int>(threadIdx.x) / 32; }
    __device__ static int lane() { return static_cast<int>(lane_of_warp()); }
    /// Tiles [first, last), a warp each: in turn, so that neighbours share an L1 cache, or where hubs hold
    /// some blocks up, each drawn by the next warp that is free.
    template <class Work>
    __device__ static void each_tile(VertexId first, VertexId last, bool draw, unsigned* drawn, Work work) {
        const auto next = [&](VertexId t) {
            if (!draw) return t + gridDim.x * warps;
            unsigned mine = 0;
            if (lane() == 0) mine = atomicAdd(drawn, 1U);
            return first + gridDim.x * warps + __shfl_sync(~0U, mine, 0);
        };
        for (VertexId t = first + blockIdx.x * warps + static_cast<VertexId>(warp()); t < last;) {
            const VertexId coming = next(t);  // on its way meanwhile
            work(t);
            t = coming;
        }
    }

    /// Combines `sum` over the block; thread 0 has the result.
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
