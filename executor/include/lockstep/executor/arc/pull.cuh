// Pull on the GPU: a thread a vertex (algorithms 2 and 5 of the source that push.cuh names).
#pragma once

#include "lockstep/executor/arc/pull.hpp"
#include "lockstep/executor/arc/rounds.cuh"

namespace lockstep::gpu {

template <>
struct View<arc::Pull> : ByThreads {
    static constexpr bool scatters = false;
    arc::OffsetsView in;
    const VertexId* sources;
    arc::WeightsView weights;

    View(const arc::Pull& plan, arc::OffsetsView, DeviceArrays& upload)
        : ByThreads(plan),
          in(upload(plan.in)),
          sources(upload(plan.sources)),
          weights(upload(plan.weights)) {}
    template <class Op>
    __device__ void round(const Op& op, typename Op::Tally& tally, const RoundPlace<Op>&) const {
        for (EdgeId i = thread_of_grid(); i < vertices; i += threads_of_grid()) {
            typename Op::Sum sum = Op::identity();
            const EdgeId end = in[i + 1];
            for (EdgeId e = in[i]; e < end; ++e) sum = Op::combine(sum, offered(op, sources[e], weights, e));
            op.finish(static_cast<VertexId>(i), sum, tally);
        }
    }
};

}  // namespace lockstep::gpu
