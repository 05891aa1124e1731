// The walk `pull_push` (pull_push.hpp) on the GPU. Pull rounds use edge tiles. In push rounds, a warp
// processes 32 vertices and sends the changes of their offers: each thread alone along the arcs of a vertex
// with few arcs, the whole warp together along the arcs of each other vertex.
#pragma once

#include "lockstep/executor/arc/pull_push.hpp"
#include "lockstep/executor/arc/tiles.cuh"
#include "lockstep/executor/csr/lists.cuh"

namespace lockstep::gpu {

template <>
struct View<arc::PullPush> : View<arc::Tiles> {
    OffsetsView out;
    const VertexId* targets;

    View(const arc::PullPush& plan, OffsetsView offsets, DeviceArrays& upload)
        : View<arc::Tiles>(plan, offsets, upload), out(offsets), targets(upload(plan.targets)) {}

    template <class Op>
    __device__ void push_changes(const Op& op, typename Op::Sum* sums) const {
        constexpr EdgeId few = 8;
        for (EdgeId base = thread_of_grid() - lane(); base < vertices; base += threads_of_grid()) {
            const EdgeId i = base + lane();
            const bool has = i < vertices;
            const typename Op::Sum change = has ? op.change(static_cast<VertexId>(i)) : Op::identity();
            const EdgeRange edges = has ? edges_of(out, static_cast<VertexId>(i)) : EdgeRange{0, 0};
            const bool changes = change != Op::identity();
            if (changes && edges.size() < few) {
                for (const EdgeId e : edges) Op::combine_atomically(sums + targets[e], change);
            }
            for_each_list(changes && edges.size() >= few, edges, [&](int from, const EdgeRange& list) {
                const typename Op::Sum value = __shfl_sync(~0U, change, from);
                for (EdgeId e = list.first + lane(); e < list.last; e += 32)
                    Op::combine_atomically(sums + targets[e], value);
            });
        }
    }
};

}  // namespace lockstep::gpu
