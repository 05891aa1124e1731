// The walk `pull` on the GPU: one thread per vertex (algorithms 2 and 5 of the paper that push.cuh cites).
#pragma once

#include "lockstep/executor/arc/pull.hpp"
#include "lockstep/executor/arc/rounds.cuh"

namespace lockstep::gpu {

template <>
struct View<arc::Pull> : ByThreads {
    static constexpr bool scatters = false;
    OffsetsView in;
    const VertexId* sources;
    arc::WeightsView weights;

    View(const arc::Pull& plan, OffsetsView, DeviceArrays& upload)
        : ByThreads(plan),
          in(upload(plan.in)),
          sources(upload(plan.sources)),
          weights(on_device(plan.weights, upload)) {}
    template <class Op>
    __device__ void round(const Op& op, typename Op::Tally& tally, const RoundPlace<Op>&) const {
        for (EdgeId i = thread_of_grid(); i < vertices; i += threads_of_grid()) {
            const auto v = static_cast<VertexId>(i);
            typename Op::Sum sum = Op::identity();
            for (const EdgeId e : edges_of(in, v))
                sum = Op::combine(sum, offered(op, sources[e], weights, e));
            op.finish(v, sum, tally);
        }
    }
};

}  // namespace lockstep::gpu
