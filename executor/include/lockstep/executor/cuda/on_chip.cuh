// Neighbour iteration over targets grouped beforehand: degree bins, and tiles by edges. Neither needs
// atomics. What the first vertices of the order offer, which many others ask for, is kept in shared memory: a
// gather there costs a bank, one in L1 a whole line.
#pragma once

#include "lockstep/executor/cuda/neighbours.cuh"

namespace lockstep::gpu {

/// What the hot vertices offer, fetched once a round by each block.
template <NeighbourOperator Op>
struct Hot {
    using Value = typename Op::Value;
    const Value* values;
    VertexId count;

    __device__ Hot(const NeighbourView& view, const Op& op, unsigned char* shared)
        : values(reinterpret_cast<Value*>(shared)), count(view.hot) {
        for (VertexId u = threadIdx.x; u < count; u += blockDim.x)
            reinterpret_cast<Value*>(shared)[u] = op.offer(u);
        __syncthreads();
    }
    __device__ __forceinline__ typename Op::Sum operator()(const Op& op, VertexId u) const {
        return Op::lift(u < count ? values[u] : op.offer(u));
    }
    /// Bytes that `values` take, a multiple of 16.
    __device__ std::size_t bytes() const { return (count * sizeof(Value) + 15) / 16 * 16; }
};

struct OnChip {
    static constexpr int threads = 1024, blocks_per_sm = 1, warps = threads / 32;
    static constexpr bool scatters = false;
    /// Cuts the hot vertices to what fits beside `other` bytes; returns the bytes of both.
    template <class Value>
    static std::size_t fit(NeighbourView& view, std::size_t other) {
        int device = 0, limit = 0;
        LOCKSTEP_CUDA(cudaGetDevice(&device));
        LOCKSTEP_CUDA(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
        constexpr std::size_t reserved = 1024;  // static shared memory of the kernel
        const std::size_t room = static_cast<std::size_t>(limit) - reserved - other;
        view.hot = static_cast<VertexId>(std::min<std::size_t>(view.hot, room / 16 * 16 / sizeof(Value)));
        return (view.hot * sizeof(Value) + 15) / 16 * 16 + other;
    }
    static_assert(warps == 32, "over_block adds the results of 32 warps");
    __device__ static int warp() { return static_cast<int>(threadIdx.x) / 32; }
    __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
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
        for (int offset = 16; offset > 0; offset /= 2)
            sum = Op::combine(sum, __shfl_xor_sync(~0U, sum, offset));
        if (lane() == 0) part[warp()] = sum;
        __syncthreads();
        sum = part[lane()];
        for (int offset = 16; offset > 0; offset /= 2)
            sum = Op::combine(sum, __shfl_xor_sync(~0U, sum, offset));
        __syncthreads();
        return sum;
    }
};

/// pull-binned: a block, a warp, eight threads or one thread a target, by its degree.
struct Bins : OnChip {
    template <class Op>
    static std::size_t shared_bytes(NeighbourView& view) {
        return fit<typename Op::Value>(view, 0);
    }
    template <class Op>
    __device__ static void round(const NeighbourView& view, const Op& op, typename Op::Tally& tally,
                                 const RoundPlace& place) {
        const Hot<Op> hot(view, op, place.shared);
        const Bin *const by_block = view.bins, *const by_warp = by_block + 1, *const by_eight = by_warp + 1;
        block_bin(view, *by_block, op, hot, tally);
        each_tile(by_block->last, view.tile_count, by_block->last > 0, place.drawn, [&](VertexId t) {
            if (t < by_warp->last) {
                warp_tile<32>(view, t, op, hot, tally);
            } else if (t < by_eight->last) {
                warp_tile<8>(view, t, op, hot, tally);
            } else {
                warp_tile<1>(view, t, op, hot, tally);
            }
        });
        __syncthreads();  // the hot values are fetched anew in the next round
    }

private:
    template <class Op>
    __device__ static typename Op::Sum gather(const NeighbourView& view, const Op& op, const Hot<Op>& hot,
                                              EdgeId first, EdgeId last, int step) {
        typename Op::Sum sum = Op::identity();
#pragma unroll 4
        for (EdgeId e = first; e < last; e += step) sum = Op::combine(sum, hot(op, __ldcs(view.sources + e)));
        return sum;
    }
    template <class Op>
    __device__ static void block_bin(const NeighbourView& view, const Bin& bin, const Op& op,
                                     const Hot<Op>& hot, typename Op::Tally& tally) {
        for (VertexId t = bin.first + blockIdx.x; t < bin.last; t += gridDim.x) {
            for (VertexId v = view.tiles[t]; v < view.tiles[t + 1]; ++v) {
                const typename Op::Sum sum = over_block<Op>(
                    gather(view, op, hot, view.in[v] + threadIdx.x, view.in[v + EdgeId{1}], threads));
                if (threadIdx.x == 0) op.finish(v, sum, tally);
            }
        }
    }
    template <int Lanes, class Op>
    __device__ static void warp_tile(const NeighbourView& view, VertexId tile, const Op& op,
                                     const Hot<Op>& hot, typename Op::Tally& tally) {
        const int lane_of_target = lane() % Lanes;
        const VertexId last = view.tiles[tile + 1];
        for (VertexId base = view.tiles[tile]; base < last; base += 32 / Lanes) {
            const VertexId v = base + static_cast<VertexId>(lane() / Lanes);
            typename Op::Sum sum = Op::identity();
            if (v < last)
                sum = gather(view, op, hot, view.in[v] + lane_of_target, view.in[v + EdgeId{1}], Lanes);
#pragma unroll
            for (int offset = Lanes / 2; offset > 0; offset /= 2)
                sum = Op::combine(sum, __shfl_xor_sync(~0U, sum, offset));
            if (v < last && lane_of_target == 0) op.finish(v, sum, tally);
        }
    }
};

/// edge-tiled: a warp a tile, eight arcs of the tile's list a thread and step, whatever their targets; the
/// sums of the targets lie in shared memory, each written once. A scan over the warp carries the sum of a
/// target from one thread, and one step, to the next.
struct EdgeTiled : OnChip {
    template <class Op>
    static std::size_t shared_bytes(NeighbourView& view) {
        return fit<typename Op::Value>(view, warps * most_tile_targets * sizeof(typename Op::Sum));
    }
    template <class Op>
    __device__ static void round(const NeighbourView& view, const Op& op, typename Op::Tally& tally,
                                 const RoundPlace& place) {
        const Hot<Op> hot(view, op, place.shared);
        auto* const sums =
            reinterpret_cast<typename Op::Sum*>(place.shared + hot.bytes()) + warp() * most_tile_targets;
        for (VertexId t = blockIdx.x; t < view.block_tiles; t += gridDim.x) {
            const EdgeTile tile = view.edge_tiles[t];
            const VertexId* const sources = view.sources + EdgeId{tile.group} * arc_group;
            typename Op::Sum sum = Op::identity();
#pragma unroll 4
            for (std::uint32_t i = threadIdx.x; i < tile.arcs; i += threads)
                sum = Op::combine(sum, hot(op, __ldcs(sources + i)));
            sum = over_block<Op>(sum);
            if (threadIdx.x == 0) op.finish(tile.first, sum, tally);
        }
        each_tile(view.block_tiles, view.tile_count, view.block_tiles > 0, place.drawn, [&](VertexId t) {
            const EdgeTile tile = view.edge_tiles[t];
            sum_tile(view, tile, op, hot, sums);
            __syncwarp();
            for (VertexId i = lane(); i < tile.targets; i += 32)
                op.finish(tile.first + i, tile.arcs ? sums[i] : Op::identity(), tally);
            __syncwarp();
        });
        __syncthreads();  // the hot values are fetched anew in the next round
    }

private:
    /// A group of eight arcs as it comes from memory.
    struct Eight {
        unsigned mark = 0;
        uint4 low{}, high{};
        __device__ Eight(const NeighbourView& view, const EdgeTile& tile, std::uint32_t group,
                         std::uint32_t groups) {
            if (group >= groups) return;
            const EdgeId at = EdgeId{tile.group} + group;
            const auto* const sources = reinterpret_cast<const uint4*>(view.sources + at * arc_group);
            mark = __ldcs(view.marks + at);
            low = __ldcs(sources), high = __ldcs(sources + 1);
        }
    };

    template <class Op>
    __device__ static void sum_tile(const NeighbourView& view, const EdgeTile& tile, const Op& op,
                                    const Hot<Op>& hot, typename Op::Sum* sums) {
        using Sum = typename Op::Sum;
        const std::uint32_t groups = (tile.arcs + arc_group - 1) / arc_group;
        Sum carry = Op::identity();  // of the target that the last step left open
        Eight eight(view, tile, lane(), groups);
        for (std::uint32_t step = 0; step < groups; step += 32) {
            const std::uint32_t group = step + lane();
            Sum open = lane() == 0 ? carry : Op::identity(), head{};
            unsigned ends = 0, place = 0, first_place = 0;
            if (group < groups) {
                const Eight now = eight;
                eight = Eight(view, tile, group + 32, groups);  // on its way meanwhile
                const VertexId source[arc_group] = {now.low.x,  now.low.y,  now.low.z,  now.low.w,
                                                    now.high.x, now.high.y, now.high.z, now.high.w};
                Sum value[arc_group];
#pragma unroll
                for (int j = 0; j < arc_group; ++j) value[j] = hot(op, source[j]);
                ends = now.mark & 0xff;
                place = first_place = now.mark >> arc_group;
#pragma unroll
                for (int j = 0; j < arc_group; ++j) {
                    open = Op::combine(open, value[j]);
                    if (ends >> j & 1) {
                        if (place == first_place) {
                            head = open;  // lacks what the threads before have of this target
                        } else {
                            sums[place] = open;
                        }
                        ++place;
                        open = Op::identity();
                    }
                }
            }
            // An inclusive scan of the open sums, from the last thread on that ended a target.
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
