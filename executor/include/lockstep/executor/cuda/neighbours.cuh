// The strategies of the source (Verstraaten, Varbanescu, de Laat, "Quantifying the performance impact of
// graph structure on neighbour iteration strategies for PageRank", section 3.1) on the GPU: push, pull,
// edges, and push and pull with virtual warps.
#pragma once

#include "lockstep/executor/cuda/bulk.cuh"
#include "lockstep/executor/cuda/rounds.cuh"

namespace lockstep::gpu {

/// What source `u` offers, as part of a sum.
template <NeighbourOperator Op>
__device__ __forceinline__ typename Op::Sum offered(const Op& op, VertexId u) {
    return Op::lift(op.offer(u));
}

__device__ __forceinline__ EdgeId thread_of_grid() { return EdgeId{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ __forceinline__ EdgeId threads_of_grid() { return EdgeId{gridDim.x} * blockDim.x; }

struct ByThreads {
    static constexpr int threads = 256, blocks_per_sm = 8;
    template <class Op>
    static std::size_t shared_bytes(const NeighbourView&) {
        return 0;
    }
};

/// Algorithm 1: a thread a vertex, into its neighbours.
struct Push : ByThreads {
    static constexpr bool scatters = true;
    template <class Op>
    __device__ static void round(const NeighbourView& view, const Op& op, typename Op::Tally&,
                                 const RoundPlace&) {
        for (EdgeId i = thread_of_grid(); i < view.vertices; i += threads_of_grid()) {
            const auto u = static_cast<VertexId>(i);
            const EdgeId end = view.out[i + 1];
            EdgeId e = view.out[i];
            if (e == end) continue;
            const typename Op::Sum value = offered(op, u);
            for (; e < end; ++e) Op::combine_atomically(op.accumulator(view.targets[e]), value);
        }
    }
};

/// Algorithms 2 and 5: a thread a vertex, from its neighbours.
struct Pull : ByThreads {
    static constexpr bool scatters = false;
    template <class Op>
    __device__ static void round(const NeighbourView& view, const Op& op, typename Op::Tally& tally,
                                 const RoundPlace&) {
        for (EdgeId i = thread_of_grid(); i < view.vertices; i += threads_of_grid()) {
            typename Op::Sum sum = Op::identity();
            const EdgeId end = view.in[i + 1];
            for (EdgeId e = view.in[i]; e < end; ++e) sum = Op::combine(sum, offered(op, view.sources[e]));
            op.finish(static_cast<VertexId>(i), sum, tally);
        }
    }
};

/// Algorithm 3: a thread an edge; the ends in two arrays, or in one array of pairs.
template <bool Pairs>
struct Edges : ByThreads {
    static constexpr bool scatters = true;
    template <class Op>
    __device__ static void round(const NeighbourView& view, const Op& op, typename Op::Tally&,
                                 const RoundPlace&) {
        for (EdgeId e = thread_of_grid(); e < view.arcs; e += threads_of_grid()) {
            const Pair arc = Pairs ? view.pairs[e] : Pair{view.sources[e], view.targets[e]};
            Op::combine_atomically(op.accumulator(arc.target), offered(op, arc.source));
        }
    }
};

/// The virtual warps of a block: `width` threads each, which take chunk x width vertices at a time and fetch
/// their offsets together.
struct VirtualWarp {
    int width, lane, group, groups;
    VertexId chunk;
    EdgeId* offsets;  ///< in shared memory, chunk + 1 a virtual warp

    __device__ VirtualWarp(const VirtualWarps& shape, unsigned char* shared)
        : width(shape.width),
          lane(static_cast<int>(threadIdx.x) % shape.width),
          group(static_cast<int>(threadIdx.x) / shape.width),
          groups(static_cast<int>(blockDim.x) / shape.width),
          chunk(static_cast<VertexId>(shape.chunk * shape.width)),
          offsets(reinterpret_cast<EdgeId*>(shared) + EdgeId(group) * (chunk + 1)) {}

    /// Until all threads of the virtual warp are here; those of 64 threads are two warps.
    __device__ void sync() const {
        if (width > 32) {
            barrier_wait(1 + group, width);
        } else {
            __syncwarp(mask());
        }
    }
    __device__ unsigned mask() const {
        const unsigned all = width >= 32 ? ~0U : (1U << width) - 1;
        return all << (threadIdx.x % 32 / min(width, 32) * min(width, 32));
    }
    /// Behind the offsets of all virtual warps of the block: a place for chunk results of each warp.
    template <class T>
    __device__ T* results(unsigned char* shared) const {
        auto* const behind = reinterpret_cast<EdgeId*>(shared) + EdgeId(groups) * (chunk + 1);
        return reinterpret_cast<T*>(behind) + EdgeId(group) * chunk * parts();
    }
    __device__ int parts() const { return width > 32 ? 2 : 1; }
    /// Calls work(first, count) for every chunk of this virtual warp, its offsets fetched.
    template <class Work>
    __device__ void chunks(const OffsetsView& all, VertexId vertices, Work work) const {
        const EdgeId step = EdgeId{gridDim.x} * groups * chunk;
        for (EdgeId first = (EdgeId{blockIdx.x} * groups + group) * chunk; first < vertices; first += step) {
            const auto count = static_cast<VertexId>(min(EdgeId{chunk}, vertices - first));
            for (VertexId i = lane; i <= count; i += width) offsets[i] = all[first + i];
            sync();
            work(static_cast<VertexId>(first), count);
            sync();
        }
    }
    template <class Value>
    static std::size_t bytes(const VirtualWarps& shape) {
        const std::size_t groups = static_cast<std::size_t>(ByThreads::threads / shape.width),
                          chunk = static_cast<std::size_t>(shape.chunk * shape.width);
        return groups * ((chunk + 1) * sizeof(EdgeId) + chunk * sizeof(Value) * (shape.width > 32 ? 2 : 1));
    }
};

/// Push, a virtual warp a vertex: its lanes take the vertex's neighbours.
struct PushWarps : ByThreads {
    static constexpr bool scatters = true;
    template <class Op>
    static std::size_t shared_bytes(const NeighbourView& view) {
        return VirtualWarp::bytes<typename Op::Sum>(view.warps);
    }
    template <class Op>
    __device__ static void round(const NeighbourView& view, const Op& op, typename Op::Tally&,
                                 const RoundPlace& place) {
        const VirtualWarp warp(view.warps, place.shared);
        auto* const values = warp.results<typename Op::Sum>(place.shared);
        warp.chunks(view.out, view.vertices, [&](VertexId first, VertexId count) {
            for (VertexId i = warp.lane; i < count; i += warp.width) {
                if (warp.offsets[i] < warp.offsets[i + 1]) values[i] = offered(op, first + i);
            }
            warp.sync();
            for (VertexId i = 0; i < count; ++i) {
                for (EdgeId e = warp.offsets[i] + warp.lane; e < warp.offsets[i + 1]; e += warp.width)
                    Op::combine_atomically(op.accumulator(view.targets[e]), values[i]);
            }
        });
    }
};

/// Pull, a virtual warp a vertex: its lanes combine over the vertex's neighbours.
struct PullWarps : ByThreads {
    static constexpr bool scatters = false;
    template <class Op>
    static std::size_t shared_bytes(const NeighbourView& view) {
        return VirtualWarp::bytes<typename Op::Sum>(view.warps);
    }
    template <class Op>
    __device__ static void round(const NeighbourView& view, const Op& op, typename Op::Tally& tally,
                                 const RoundPlace& place) {
        const VirtualWarp warp(view.warps, place.shared);
        auto* const sums = warp.results<typename Op::Sum>(place.shared);
        warp.chunks(view.in, view.vertices, [&](VertexId first, VertexId count) {
            for (VertexId i = 0; i < count; ++i) {
                typename Op::Sum sum = Op::identity();
                for (EdgeId e = warp.offsets[i] + warp.lane; e < warp.offsets[i + 1]; e += warp.width)
                    sum = Op::combine(sum, offered(op, view.sources[e]));
                for (int offset = min(warp.width, 32) / 2; offset > 0; offset /= 2)
                    sum = Op::combine(sum, __shfl_xor_sync(warp.mask(), sum, offset));
                if (warp.lane % 32 == 0) sums[i * warp.parts() + warp.lane / 32] = sum;
            }
            warp.sync();
            for (VertexId i = warp.lane; i < count; i += warp.width) {
                typename Op::Sum sum = sums[i * warp.parts()];
                if (warp.parts() == 2) sum = Op::combine(sum, sums[i * 2 + 1]);
                op.finish(first + i, sum, tally);
            }
        });
    }
};

}  // namespace lockstep::gpu
