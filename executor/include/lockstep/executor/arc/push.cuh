// Push on the GPU: a thread a vertex (Verstraaten, Varbanescu, de Laat, "Quantifying the performance impact
// of graph structure on neighbour iteration strategies for PageRank", algorithm 1).
#pragma once

#include "lockstep/executor/arc/push.hpp"
#include "lockstep/executor/arc/rounds.cuh"

namespace lockstep::gpu {

template <>
struct View<arc::Push> : ByThreads {
    static constexpr bool scatters = true;
    arc::OffsetsView out;
    const VertexId* targets;
    arc::WeightsView weights;

    View(const arc::Push& plan, arc::OffsetsView offsets, DeviceArrays& upload)
        : ByThreads(plan), out(offsets), targets(upload(plan.targets)), weights(upload(plan.weights)) {}
    template <class Op>
    __device__ void round(const Op& op, typename Op::Tally&, const RoundPlace<Op>& place) const {
        for (EdgeId i = thread_of_grid(); i < vertices; i += threads_of_grid()) {
            const auto u = static_cast<VertexId>(i);
            const EdgeId end = out[i + 1];
            EdgeId e = out[i];
            if (e == end) continue;
            const typename Op::Value offer = op.offer(u);
            for (; e < end; ++e)
                Op::combine_atomically(place.sums + targets[e], Op::lift(arriving<Op>(offer, weights, e)));
        }
    }
};

}  // namespace lockstep::gpu
