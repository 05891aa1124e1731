// Edges on the GPU: a thread an arc (algorithm 3 of the source that push.cuh names); the ends in two arrays,
// or in one array of pairs.
#pragma once

#include "lockstep/executor/arc/edges.hpp"
#include "lockstep/executor/arc/rounds.cuh"

namespace lockstep::gpu {

template <>
struct View<arc::Edges> : ByThreads {
    static constexpr bool scatters = true;
    EdgeId arcs;
    const VertexId *sources, *targets;
    arc::WeightsView weights;

    View(const arc::Edges& plan, arc::OffsetsView, DeviceArrays& upload)
        : ByThreads(plan),
          arcs(plan.arcs),
          sources(upload(plan.sources)),
          targets(upload(plan.targets)),
          weights(upload(plan.weights)) {}
    template <class Op>
    __device__ void round(const Op& op, typename Op::Tally&, const RoundPlace<Op>& place) const {
        for (EdgeId e = thread_of_grid(); e < arcs; e += threads_of_grid()) {
            const VertexId source = sources[e], target = targets[e];
            Op::combine_atomically(place.sums + target, offered(op, source, weights, e));
        }
    }
};

template <>
struct View<arc::EdgePairs> : ByThreads {
    struct Pair {
        VertexId source, target;
    };
    static constexpr bool scatters = true;
    EdgeId arcs;
    const Pair* pairs;
    arc::WeightsView weights;

    View(const arc::EdgePairs& plan, arc::OffsetsView, DeviceArrays& upload)
        : ByThreads(plan), arcs(plan.arcs), weights(upload(plan.weights)) {
        std::vector<Pair> host(arcs);
        for (EdgeId e = 0; e < arcs; ++e) host[e] = {plan.sources[e], plan.targets[e]};
        pairs = upload(host);
    }
    template <class Op>
    __device__ void round(const Op& op, typename Op::Tally&, const RoundPlace<Op>& place) const {
        for (EdgeId e = thread_of_grid(); e < arcs; e += threads_of_grid()) {
            const Pair arc = pairs[e];
            Op::combine_atomically(place.sums + arc.target, offered(op, arc.source, weights, e));
        }
    }
};

}  // namespace lockstep::gpu
