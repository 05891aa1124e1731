// The walk `bins` (bins.hpp) on the GPU: targets of large degree are processed by a thread block each, others
// by a warp, eight threads or one thread.
#pragma once

#include "lockstep/executor/arc/bins.hpp"
#include "lockstep/executor/arc/on_chip.cuh"

namespace lockstep::gpu {

template <>
struct View<arc::Bins> : SharedMemoryTiles {
    OffsetsView in;
    const VertexId *sources, *tiles;
    arc::WeightsView weights;
    /// End of the tiles of each bin: targets processed by a thread block, by a warp, and by eight threads.
    /// One thread processes each target of the other tiles.
    VertexId block_bin, warp_bin, eight_bin;

    View(const arc::Bins& plan, OffsetsView, DeviceArrays& upload)
        : SharedMemoryTiles(plan),
          in(upload(plan.in)),
          sources(upload(plan.sources)),
          tiles(upload(plan.tiles)),
          weights(on_device(plan.weights, upload)),
          block_bin(plan.bins[1]),
          warp_bin(plan.bins[2]),
          eight_bin(plan.bins[3]) {}
    template <class Op>
    std::size_t shared_bytes() {
        return fit<typename Op::Value>(0);
    }
    template <class Op>
    __device__ void round(const Op& op, typename Op::Tally& tally, const RoundPlace<Op>& place) const {
        const HotValues<Op> hot(hot_vertices, op, place.shared);
        for (VertexId t = blockIdx.x; t < block_bin; t += gridDim.x) {
            for (VertexId v = tiles[t]; v < tiles[t + 1]; ++v) {
                const typename Op::Sum sum =
                    over_block<Op>(gather(op, hot, edges_of(in, v), static_cast<int>(threadIdx.x), threads));
                if (threadIdx.x == 0) op.finish(v, sum, tally);
            }
        }
        for_each_assigned_tile(block_bin, tile_count, block_bin > 0, place.drawn, [&](VertexId t) {
            if (t < warp_bin) {
                warp_tile<32>(t, op, hot, tally);
            } else if (t < eight_bin) {
                warp_tile<8>(t, op, hot, tally);
            } else {
                warp_tile<1>(t, op, hot, tally);
            }
        });
        __syncthreads();  // no thread may still read the hot values when the next round overwrites them
    }

protected:
    template <class Op>
    __device__ typename Op::Sum gather(const Op& op, const HotValues<Op>& hot, const EdgeRange& edges,
                                       int first, int step) const {
        typename Op::Sum sum = Op::identity();
#pragma unroll 4
        for (EdgeId e = edges.first + first; e < edges.last; e += step)
            sum = Op::combine(sum, hot(op, __ldcs(sources + e), weights, e));
        return sum;
    }
    template <int Lanes, class Op>
    __device__ void warp_tile(VertexId tile, const Op& op, const HotValues<Op>& hot,
                              typename Op::Tally& tally) const {
        const int lane_of_target = lane() % Lanes;
        const VertexId last = tiles[tile + 1];
        for (VertexId base = tiles[tile]; base < last; base += 32 / Lanes) {
            const VertexId v = base + static_cast<VertexId>(lane() / Lanes);
            typename Op::Sum sum = Op::identity();
            if (v < last) sum = gather(op, hot, edges_of(in, v), lane_of_target, Lanes);
            sum = over_lanes(sum, Op::combine, Lanes);
            if (v < last && lane_of_target == 0) op.finish(v, sum, tally);
        }
    }
};

}  // namespace lockstep::gpu
