// The walk `push` on the GPU: one thread per vertex (Verstraaten, Varbanescu, de Laat, "Quantifying the
// performance impact of graph structure on neighbour iteration strategies for PageRank", algorithm 1).
#pragma once

#include "lockstep/executor/arc/push.hpp"
#include "lockstep/executor/arc/rounds.cuh"

namespace lockstep::gpu {

template <>
struct View<arc::Push> : ByThreads {
    static constexpr bool scatters = true;
    OffsetsView out;
    const VertexId* targets;
    arc::WeightsView weights;

    View(const arc::Push& plan, OffsetsView offsets, DeviceArrays& upload)
        : ByThreads(plan),
          out(offsets),
          targets(upload(plan.targets)),
          weights(on_device(plan.weights, upload)) {}
    template <class Op>
    __device__ void round(const Op& op, typename Op::Tally&, const RoundPlace<Op>& place) const {
        for (EdgeId i = thread_of_grid(); i < vertices; i += threads_of_grid()) {
            const auto u = static_cast<VertexId>(i);
            const EdgeRange arcs = edges_of(out, u);
            if (arcs.size() == 0) continue;
            const typename Op::Value offer = op.offer(u);
            for (const EdgeId e : arcs)
                Op::combine_atomically(place.sums + targets[e], Op::to_sum(arriving<Op>(offer, weights, e)));
        }
    }
};

}  // namespace lockstep::gpu
