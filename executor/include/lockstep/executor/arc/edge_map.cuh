// The edge map of the arc family on the GPU: passes values along all arcs in one direction (push or pull)
// with one balance (a thread per vertex, a virtual warp per vertex, or a thread per arc). These are the
// algorithms of Verstraaten, Varbanescu, de Laat, "Quantifying the performance impact of graph structure on
// neighbour iteration strategies for PageRank": push is algorithm 1, pull 2 and 5, a thread per arc 3.
#pragma once

#include "lockstep/executor/arc/edge_map.hpp"
#include "lockstep/executor/arc/rounds.cuh"
#include "lockstep/executor/device/bulk.cuh"

namespace lockstep::gpu {

/// The arcs of each vertex: its out-arcs in a plan that pushes, its in-arcs in a plan that pulls.
struct ArcLists {
    OffsetsView offsets;
    const VertexId* ends;  ///< the other endpoint of each arc
    arc::WeightsView weights;

    ArcLists(const arc::Push& plan, OffsetsView out, DeviceArrays& upload)
        : offsets(out), ends(upload(plan.targets)), weights(on_device(plan.weights, upload)) {}
    ArcLists(const arc::Pull& plan, OffsetsView, DeviceArrays& upload)
        : offsets(upload(plan.in)), ends(upload(plan.sources)), weights(on_device(plan.weights, upload)) {}

    /// Sends the value of a source along its arc `e`.
    template <class Op>
    __device__ __forceinline__ void push(typename Op::Value value, EdgeId e, typename Op::Sum* sums) const {
        Op::combine_atomically(sums + ends[e], Op::to_sum(arriving<Op>(value, weights, e)));
    }
    /// Adds the offer that arrives along arc `e` to the sum of the arc's target.
    template <class Op>
    __device__ __forceinline__ void pull(const Op& op, typename Op::Sum& sum, EdgeId e) const {
        sum = Op::combine(sum, offered(op, ends[e], weights, e));
    }
};

/// The view of a plan whose arcs are distributed to threads by `Balance`.
template <class Plan, class Balance>
struct EdgeMap : Balance {
    static constexpr bool scatters = Plan::scatters;
    ArcLists lists;

    EdgeMap(const Plan& plan, OffsetsView out, DeviceArrays& upload)
        : Balance(plan), lists(plan, out, upload) {}
    template <class Op>
    __device__ void round(const Op& op, typename Op::Tally& tally, const RoundPlace<Op>& place) const {
        if constexpr (scatters)
            this->push(lists, op, place);
        else
            this->pull(lists, op, place, tally);
    }
};

/// One thread processes the arcs of a vertex.
struct ThreadPerVertex : ByThreads {
    using ByThreads::ByThreads;
    template <class Op>
    __device__ void push(const ArcLists& lists, const Op& op, const RoundPlace<Op>& place) const {
        for (EdgeId i = thread_of_grid(); i < vertices; i += threads_of_grid()) {
            const auto u = static_cast<VertexId>(i);
            const EdgeRange arcs = edges_of(lists.offsets, u);
            if (arcs.size() == 0) continue;
            const typename Op::Value offer = op.offer(u);
            for (const EdgeId e : arcs) lists.push<Op>(offer, e, place.sums);
        }
    }
    template <class Op>
    __device__ void pull(const ArcLists& lists, const Op& op, const RoundPlace<Op>&,
                         typename Op::Tally& tally) const {
        for (EdgeId i = thread_of_grid(); i < vertices; i += threads_of_grid()) {
            const auto v = static_cast<VertexId>(i);
            typename Op::Sum sum = Op::identity();
            for (const EdgeId e : edges_of(lists.offsets, v)) lists.pull(op, sum, e);
            op.finish(v, sum, tally);
        }
    }
};
template <>
struct View<arc::Push> : EdgeMap<arc::Push, ThreadPerVertex> {
    using EdgeMap::EdgeMap;
};
template <>
struct View<arc::Pull> : EdgeMap<arc::Pull, ThreadPerVertex> {
    using EdgeMap::EdgeMap;
};

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

/// A virtual warp processes the arcs of a vertex.
struct VirtualWarpPerVertex : ByThreads {
    arc::VirtualWarps warps;
    template <class Plan>
    explicit VirtualWarpPerVertex(const Plan& plan) : ByThreads(plan), warps(plan.warps) {}
    template <class Op>
    std::size_t shared_bytes() const {
        return VirtualWarp::bytes<typename Op::Sum>(warps);
    }
    template <class Op>
    __device__ void push(const ArcLists& lists, const Op& op, const RoundPlace<Op>& place) const {
        const VirtualWarp warp(warps, place.shared);
        auto* const values = warp.results<typename Op::Value>(place.shared);
        warp.chunks(lists.offsets, vertices, [&](VertexId first, VertexId count) {
            for (VertexId i = warp.lane; i < count; i += warp.width) {
                if (warp.offsets[i] < warp.offsets[i + 1]) values[i] = op.offer(first + i);
            }
            warp.sync();
            for (VertexId i = 0; i < count; ++i) {
                for (EdgeId e = warp.offsets[i] + warp.lane; e < warp.offsets[i + 1]; e += warp.width)
                    lists.push<Op>(values[i], e, place.sums);
            }
        });
    }
    template <class Op>
    __device__ void pull(const ArcLists& lists, const Op& op, const RoundPlace<Op>& place,
                         typename Op::Tally& tally) const {
        const VirtualWarp warp(warps, place.shared);
        auto* const sums = warp.results<typename Op::Sum>(place.shared);
        warp.chunks(lists.offsets, vertices, [&](VertexId first, VertexId count) {
            for (VertexId i = 0; i < count; ++i) {
                typename Op::Sum sum = Op::identity();
                for (EdgeId e = warp.offsets[i] + warp.lane; e < warp.offsets[i + 1]; e += warp.width)
                    lists.pull(op, sum, e);
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
template <>
struct View<arc::PushWarps> : EdgeMap<arc::PushWarps, VirtualWarpPerVertex> {
    using EdgeMap::EdgeMap;
};
template <>
struct View<arc::PullWarps> : EdgeMap<arc::PullWarps, VirtualWarpPerVertex> {
    using EdgeMap::EdgeMap;
};

/// One thread processes an arc. The endpoints of the arcs are stored in two arrays, or in one array of pairs;
/// an object of type `Ends` returns the endpoints of arc e.
template <class Ends>
struct ThreadPerArc : ByThreads {
    static constexpr bool scatters = true;
    EdgeId arcs;
    Ends ends;
    arc::WeightsView weights;

    ThreadPerArc(const arc::Edges& plan, const Ends& of_arcs, DeviceArrays& upload)
        : ByThreads(plan), arcs(plan.arcs), ends(of_arcs), weights(on_device(plan.weights, upload)) {}
    template <class Op>
    __device__ void round(const Op& op, typename Op::Tally&, const RoundPlace<Op>& place) const {
        for (EdgeId e = thread_of_grid(); e < arcs; e += threads_of_grid()) {
            const uint2 arc = ends(e);
            Op::combine_atomically(place.sums + arc.y, offered(op, arc.x, weights, e));
        }
    }
};

struct SeparateEndpointArrays {
    const VertexId *sources, *targets;
    __device__ uint2 operator()(EdgeId e) const { return {sources[e], targets[e]}; }
};
template <>
struct View<arc::Edges> : ThreadPerArc<SeparateEndpointArrays> {
    View(const arc::Edges& plan, OffsetsView, DeviceArrays& upload)
        : ThreadPerArc(plan, {upload(plan.sources), upload(plan.targets)}, upload) {}
};

struct EndsInPairs {
    const uint2* pairs;
    __device__ uint2 operator()(EdgeId e) const { return pairs[e]; }
};
template <>
struct View<arc::EdgePairs> : ThreadPerArc<EndsInPairs> {
    View(const arc::EdgePairs& plan, OffsetsView, DeviceArrays& upload)
        : ThreadPerArc(plan, {upload(pairs_of(plan))}, upload) {}
    static std::vector<uint2> pairs_of(const arc::EdgePairs& plan) {
        std::vector<uint2> pairs(plan.arcs);
        for (EdgeId e = 0; e < plan.arcs; ++e) pairs[e] = {plan.sources[e], plan.targets[e]};
        return pairs;
    }
};

}  // namespace lockstep::gpu
