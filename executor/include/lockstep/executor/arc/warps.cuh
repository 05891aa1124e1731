// Push and pull with virtual warps (warps.hpp) on the GPU: several threads process the arcs of one vertex
// together.
#pragma once

#include "lockstep/executor/arc/rounds.cuh"
#include "lockstep/executor/arc/warps.hpp"
#include "lockstep/executor/device/bulk.cuh"

namespace lockstep::gpu {

/// A virtual warp: `width` threads of a block that process the arcs of a vertex together. A chunk is chunk x
/// width consecutive vertices, whose offsets the threads load together.
struct VirtualWarp {
    int width, lane, group, groups;
    VertexId chunk;
    EdgeId* offsets;  ///< offsets of the vertices of the chunk and of its end, in shared memory

    __device__ VirtualWarp(const arc::VirtualWarps& shape, unsigned char* shared)
        : width(shape.width),
          lane(static_cast<int>(threadIdx.x) % shape.width),
          group(static_cast<int>(threadIdx.x) / shape.width),
          groups(static_cast<int>(blockDim.x) / shape.width),
          chunk(static_cast<VertexId>(shape.chunk * shape.width)),
          offsets(reinterpret_cast<EdgeId*>(shared) + EdgeId(group) * (chunk + 1)) {}

    /// Waits until all threads of the virtual warp have arrived. For a virtual warp of 64 threads this needs
    /// a named barrier, because it consists of two warps.
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
    /// Returns the array of results of this virtual warp, with one result per vertex of a chunk and per warp.
    /// The arrays are in shared memory, after the offsets of all virtual warps of the block.
    template <class T>
    __device__ T* results(unsigned char* shared) const {
        auto* const behind = reinterpret_cast<EdgeId*>(shared) + EdgeId(groups) * (chunk + 1);
        return reinterpret_cast<T*>(behind) + EdgeId(group) * chunk * parts();
    }
    __device__ int parts() const { return width > 32 ? 2 : 1; }
    /// Loads the offsets of each chunk of this virtual warp, and calls work(first, count) with the chunk's
    /// first vertex and number of vertices.
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
    static std::size_t bytes(const arc::VirtualWarps& shape) {
        const std::size_t groups = static_cast<std::size_t>(ByThreads::threads / shape.width),
                          chunk = static_cast<std::size_t>(shape.chunk * shape.width);
        return groups * ((chunk + 1) * sizeof(EdgeId) + chunk * sizeof(Value) * (shape.width > 32 ? 2 : 1));
    }
};

/// Common base of the views of push and pull with virtual warps.
struct ByWarps : ByThreads {
    arc::VirtualWarps warps;
    template <class Plan>
    explicit ByWarps(const Plan& plan) : ByThreads(plan), warps(plan.warps) {}
    template <class Op>
    std::size_t shared_bytes() const {
        return VirtualWarp::bytes<typename Op::Sum>(warps);
    }
};

/// Push: the lanes of a virtual warp process the out-arcs of one vertex in parallel.
template <>
struct View<arc::PushWarps> : ByWarps {
    static constexpr bool scatters = true;
    OffsetsView out;
    const VertexId* targets;
    arc::WeightsView weights;

    View(const arc::PushWarps& plan, OffsetsView offsets, DeviceArrays& upload)
        : ByWarps(plan),
          out(offsets),
          targets(upload(plan.targets)),
          weights(on_device(plan.weights, upload)) {}
    template <class Op>
    __device__ void round(const Op& op, typename Op::Tally&, const RoundPlace<Op>& place) const {
        const VirtualWarp warp(warps, place.shared);
        auto* const values = warp.results<typename Op::Value>(place.shared);
        warp.chunks(out, vertices, [&](VertexId first, VertexId count) {
            for (VertexId i = warp.lane; i < count; i += warp.width) {
                if (warp.offsets[i] < warp.offsets[i + 1]) values[i] = op.offer(first + i);
            }
            warp.sync();
            for (VertexId i = 0; i < count; ++i) {
                for (EdgeId e = warp.offsets[i] + warp.lane; e < warp.offsets[i + 1]; e += warp.width)
                    Op::combine_atomically(place.sums + targets[e],
                                           Op::to_sum(arriving<Op>(values[i], weights, e)));
            }
        });
    }
};

/// Pull: the lanes of a virtual warp process the in-arcs of one vertex in parallel, and combine their sums.
template <>
struct View<arc::PullWarps> : ByWarps {
    static constexpr bool scatters = false;
    OffsetsView in;
    const VertexId* sources;
    arc::WeightsView weights;

    View(const arc::PullWarps& plan, OffsetsView, DeviceArrays& upload)
        : ByWarps(plan),
          in(upload(plan.in)),
          sources(upload(plan.sources)),
          weights(on_device(plan.weights, upload)) {}
    template <class Op>
    __device__ void round(const Op& op, typename Op::Tally& tally, const RoundPlace<Op>& place) const {
        const VirtualWarp warp(warps, place.shared);
        auto* const sums = warp.results<typename Op::Sum>(place.shared);
        warp.chunks(in, vertices, [&](VertexId first, VertexId count) {
            for (VertexId i = 0; i < count; ++i) {
                typename Op::Sum sum = Op::identity();
                for (EdgeId e = warp.offsets[i] + warp.lane; e < warp.offsets[i + 1]; e += warp.width)
                    sum = Op::combine(sum, offered(op, sources[e], weights, e));
                sum = over_lanes(sum, Op::combine, min(warp.width, 32), warp.mask());
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
