// Pull, and push at the end, on the GPU: edge tiles; and a warp pushes what its 32 vertices offer otherwise
// than before, few arcs a thread each, more of them together.
#pragma once

#include "lockstep/executor/arc/pull_push.hpp"
#include "lockstep/executor/arc/tiles.cuh"

namespace lockstep::gpu {

template <>
struct View<arc::PullPush> : View<arc::Tiles> {
    arc::OffsetsView out;
    const VertexId* targets;

    View(const arc::PullPush& plan, arc::OffsetsView offsets, DeviceArrays& upload)
        : View<arc::Tiles>(plan, offsets, upload), out(offsets), targets(upload(plan.targets)) {}

    template <class Op>
    __device__ void push_changes(const Op& op, typename Op::Sum* sums) const {
        constexpr EdgeId few = 8;
        for (EdgeId base = thread_of_grid() - lane(); base < vertices; base += threads_of_grid()) {
            const EdgeId i = base + lane();
            const bool has = i < vertices;
            const typename Op::Sum change = has ? op.change(static_cast<VertexId>(i)) : Op::identity();
            const EdgeId begin = has ? out[i] : 0, end = has ? out[i + 1] : 0;
            const bool changes = change != Op::identity();
            if (changes && end - begin < few) {
                for (EdgeId e = begin; e < end; ++e) Op::combine_atomically(sums + targets[e], change);
            }
            for (unsigned left = __ballot_sync(~0U, changes && end - begin >= few); left; left &= left - 1) {
                const int from = __ffs(static_cast<int>(left)) - 1;
                const typename Op::Sum value = __shfl_sync(~0U, change, from);
                const EdgeId last = __shfl_sync(~0U, end, from);
                for (EdgeId e = __shfl_sync(~0U, begin, from) + lane(); e < last; e += 32)
                    Op::combine_atomically(sums + targets[e], value);
            }
        }
    }
};

}  // namespace lockstep::gpu
