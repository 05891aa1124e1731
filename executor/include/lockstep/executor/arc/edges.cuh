// The walks of edges.hpp on the GPU: one thread per arc (algorithm 3 of the paper that push.cuh cites). The
// endpoints of the arcs are stored in two arrays, or in one array of pairs.
#pragma once

#include "lockstep/executor/arc/edges.hpp"
#include "lockstep/executor/arc/rounds.cuh"

namespace lockstep::gpu {

/// Common base of the views of both walks. An object of type `Ends` returns the endpoints of arc e.
template <class Ends>
struct ByArcs : ByThreads {
    static constexpr bool scatters = true;
    EdgeId arcs;
    Ends ends;
    arc::WeightsView weights;

    ByArcs(const arc::Edges& plan, const Ends& of_arcs, DeviceArrays& upload)
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
struct View<arc::Edges> : ByArcs<SeparateEndpointArrays> {
    View(const arc::Edges& plan, OffsetsView, DeviceArrays& upload)
        : ByArcs(plan, {upload(plan.sources), upload(plan.targets)}, upload) {}
};

struct EndsInPairs {
    const uint2* pairs;
    __device__ uint2 operator()(EdgeId e) const { return pairs[e]; }
};
template <>
struct View<arc::EdgePairs> : ByArcs<EndsInPairs> {
    View(const arc::EdgePairs& plan, OffsetsView, DeviceArrays& upload)
        : ByArcs(plan, {upload(pairs_of(plan))}, upload) {}
    static std::vector<uint2> pairs_of(const arc::EdgePairs& plan) {
        std::vector<uint2> pairs(plan.arcs);
        for (EdgeId e = 0; e < plan.arcs; ++e) pairs[e] = {plan.sources[e], plan.targets[e]};
        return pairs;
    }
};

}  // namespace lockstep::gpu
