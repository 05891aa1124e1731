// The walk `edge_tiled` (tiles.hpp) on the GPU. The values that the first vertices of the order offer are kept
// in shared memory, because many other vertices read them (hot vertices). A read from shared memory accesses
// one bank, while a read from the L1 cache accesses a whole cache line.
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

/// The view of edge tiles. A multiprocessor runs one thread block with the maximum number of threads. A warp
/// processes one tile at a time. In each step, every thread processes eight
/// consecutive arcs of the tile's list, which may belong to several targets. The sum of each target is
/// written to shared memory once. A segmented scan over the warp adds up the parts of a target's sum from
/// several threads, and a carry passes a partial sum to the next step.
template <>
struct View<arc::Tiles> {
    static constexpr int threads = 1024, blocks_per_sm = 1, warps = threads / 32;
    static constexpr bool scatters = false;
    VertexId vertices, hot_vertices, tile_count;
    const arc::EdgeTile* tiles;
    VertexId block_tiles;
    const VertexId* sources;
    arc::WeightsView weights;
    const std::uint16_t* marks;

    View(const arc::Tiles& plan, OffsetsView, DeviceArrays& upload)
        : View(plan, arc::EdgeTiles(plan), upload) {}
    View(const arc::Tiles& plan, const arc::EdgeTiles& streams, DeviceArrays& upload)
        : vertices(plan.vertices),
          hot_vertices(plan.hot),
          tile_count(plan.tile_count()),
          tiles(upload(streams.tiles)),
          block_tiles(streams.block_tiles),
          sources(upload(streams.sources)),
          weights(on_device(streams.weights, upload)),
          marks(upload(streams.marks)) {}
    /// Reduces the number of hot vertices until their offers and the sums of one tile per warp fit in shared
    /// memory. Returns the total number of bytes.
    template <class Op>
    std::size_t shared_bytes() {
        using Value = typename Op::Value;
        constexpr std::size_t sums = warps * arc::max_tile_targets * sizeof(typename Op::Sum);
        // bytes that are reserved for the static shared memory of the kernel
        constexpr std::size_t reserved = 1024;
        const std::size_t available_bytes = gpu::device_properties().shared_bytes - reserved - sums;
        hot_vertices = static_cast<VertexId>(
            std::min<std::size_t>(hot_vertices, available_bytes / 16 * 16 / sizeof(Value)));
        return (hot_vertices * sizeof(Value) + 15) / 16 * 16 + sums;
    }
    template <class Op>
    __device__ void round(const Op& op, typename Op::Tally& tally, const RoundPlace<Op>& place) const {
        const HotValues<Op> hot(hot_vertices, op, place.shared);
        auto* const sums =
            reinterpret_cast<typename Op::Sum*>(place.shared + hot.bytes()) + warp() * arc::max_tile_targets;
        for (VertexId t = blockIdx.x; t < block_tiles; t += gridDim.x) {
            const arc::EdgeTile tile = tiles[t];
            const EdgeId first = EdgeId{tile.group} * arc::arc_group;
            typename Op::Sum sum = Op::identity();
#pragma unroll 4
            for (std::uint32_t i = threadIdx.x; i < tile.arcs; i += threads)
                sum = Op::combine(sum, hot(op, __ldcs(sources + first + i), weights, first + i));
            sum = over_block<Op>(sum);
            if (threadIdx.x == 0) op.finish(tile.first, sum, tally);
        }
        for_each_assigned_tile(place.drawn, [&](VertexId t) {
            const arc::EdgeTile tile = tiles[t];
            sum_tile(tile, op, hot, sums);
            __syncwarp();
            for (VertexId i = lane(); i < tile.targets; i += 32)
                op.finish(tile.first + i, tile.arcs ? sums[i] : Op::identity(), tally);
            __syncwarp();
        });
        __syncthreads();  // no thread may still read the hot values when the next round overwrites them
    }

protected:
    static_assert(warps == 32, "over_block adds the results of 32 warps");
    __device__ static int warp() { return static_cast<int>(threadIdx.x) / 32; }
    __device__ static int lane() { return static_cast<int>(lane_of_warp()); }
    /// Calls work(tile) for the tiles from `block_tiles` on, with one warp per tile. Without block tiles,
    /// tiles are assigned round-robin, so that neighbouring tiles use the same L1 cache. With block tiles,
    /// warps claim tiles from the counter `drawn` when they are free, because hubs delay some thread blocks.
    template <class Work>
    __device__ void for_each_assigned_tile(unsigned* drawn, Work work) const {
        const bool dynamic = block_tiles > 0;
        const auto next = [&](VertexId t) {
            if (!dynamic) return t + gridDim.x * warps;
            unsigned mine = 0;
            if (lane() == 0) mine = atomicAdd(drawn, 1U);
            return block_tiles + gridDim.x * warps + __shfl_sync(~0U, mine, 0);
        };
        for (VertexId t = block_tiles + blockIdx.x * warps + static_cast<VertexId>(warp()); t < tile_count;) {
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

    /// A group of eight arcs (their sources and their mark), as it is loaded from memory.
    struct EightArcs {
        unsigned mark = 0;
        uint4 low{}, high{};
        __device__ EightArcs(const View& view, const arc::EdgeTile& tile, std::uint32_t group,
                             std::uint32_t groups) {
            if (group >= groups) return;
            const EdgeId at = EdgeId{tile.group} + group;
            const auto* const sources = reinterpret_cast<const uint4*>(view.sources + at * arc::arc_group);
            mark = __ldcs(view.marks + at);
            low = __ldcs(sources), high = __ldcs(sources + 1);
        }
    };

    /// Reads the weights of a group of arcs. Weights that are bytes take only one load.
    __device__ void read_group(float (&weight)[arc::arc_group], EdgeId group) const {
        if (weights.whole) {
            const uint2 bytes = __ldcs(reinterpret_cast<const uint2*>(weights.whole) + group);
#pragma unroll
            for (int j = 0; j < arc::arc_group; ++j)
                weight[j] = static_cast<float>((j < 4 ? bytes.x : bytes.y) >> j % 4 * 8 & 0xff);
        } else {
#pragma unroll
            for (int j = 0; j < arc::arc_group; ++j) weight[j] = weights[group * arc::arc_group + j];
        }
    }
    template <class Op>
    __device__ void sum_tile(const arc::EdgeTile& tile, const Op& op, const HotValues<Op>& hot,
                             typename Op::Sum* sums) const {
        using Sum = typename Op::Sum;
        const std::uint32_t groups = (tile.arcs + arc::arc_group - 1) / arc::arc_group;
        Sum carry = Op::identity();  // sum so far of the target whose arcs continue in this step
        EightArcs eight(*this, tile, lane(), groups);
        for (std::uint32_t step = 0; step < groups; step += 32) {
            const std::uint32_t group = step + lane();
            Sum open = lane() == 0 ? carry : Op::identity(), head{};
            unsigned ends = 0, place = 0, first_place = 0;
            if (group < groups) {
                const EightArcs now = eight;
                eight = EightArcs(*this, tile, group + 32, groups);  // prefetches the thread's next group
                const VertexId source[arc::arc_group] = {now.low.x,  now.low.y,  now.low.z,  now.low.w,
                                                         now.high.x, now.high.y, now.high.z, now.high.w};
                Sum value[arc::arc_group];
                float weight[arc::arc_group];
                if constexpr (Weighs<Op>) read_group(weight, EdgeId{tile.group} + group);
#pragma unroll
                for (int j = 0; j < arc::arc_group; ++j)
                    value[j] = Op::to_sum(arriving<Op>(hot.offer(op, source[j]), weight, j));
                ends = now.mark & 0xff;
                place = first_place = now.mark >> arc::arc_group;
#pragma unroll
                for (int j = 0; j < arc::arc_group; ++j) {
                    open = Op::combine(open, value[j]);
                    if (ends >> j & 1) {
                        if (place == first_place) {
                            // incomplete, because previous threads may have arcs of the same target
                            head = open;
                        } else {
                            sums[place] = open;
                        }
                        ++place;
                        open = Op::identity();
                    }
                }
            }
            // Segmented inclusive scan of the open sums. For each lane it begins at the last lane, up to and
            // including itself, in which a target ends.
            const unsigned ended = __ballot_sync(~0U, ends != 0) & (~0U >> (31 - lane()));
            const int start = ended ? 31 - __clz(static_cast<int>(ended)) : 0;
#pragma unroll
            for (int offset = 1; offset < 32; offset *= 2) {
                const Sum before = __shfl_up_sync(~0U, open, offset);
                if (lane() - offset >= start) open = Op::combine(before, open);
            }
            const Sum before = __shfl_up_sync(~0U, open, 1);
            if (ends) sums[first_place] = lane() == 0 ? head : Op::combine(before, head);
            carry = __shfl_sync(~0U, open, 31);
        }
    }
};

}  // namespace lockstep::gpu
