// The walk `pull_push`, which switches from pull to push when few vertices still change (SIMD-X: Liu, Huang,
// ATC 2019). Pull rounds use edge tiles and store the sum of each vertex. In a push round, each vertex whose
// offer differs from that of the previous round adds the difference to the stored sums of its out-neighbours.
// The sums are integers, so both kinds of rounds give the same sums, and the switch may happen in any round.
// If the operator cannot detect changes, every round is a pull.
#pragma once

#include "lockstep/executor/arc/tiles.hpp"

namespace lockstep::arc {

struct PullPush : Tiles {
    static constexpr Walk facts{.name = "pull_push", .family = Family::arcs, .form = forms::targets};
    Array<VertexId> targets;  ///< target of each arc; the arcs are sorted by source

    PullPush(const OrderedGraph& graph, const Schedule& schedule) : Tiles(graph, schedule) {
        Weights none;
        targets = graph.targets(out, none);
    }
    EdgeId bytes() const { return Tiles::bytes() + 4 * targets.size(); }
};

/// An operator with an additional effect: finish() also stores the sum of the vertex.
template <Changes Op>
struct SumStoringOperator : Op {
    typename Op::Sum* sums;
    LOCKSTEP_HD SumStoringOperator(const Op& op, typename Op::Sum* kept) : Op(op), sums(kept) {}
    LOCKSTEP_HD void finish(VertexId v, typename Op::Sum sum, typename Op::Tally& tally) const {
        sums[v] = sum;
        Op::finish(v, sum, tally);
    }
};

/// Adds the changes of the offers of the sources [first, last) to the sums of their out-neighbours, on a CPU.
template <Changes Op>
void scatter_changes(const PullPush& plan, const Op& op, typename Op::Sum* sums, VertexId first,
                     VertexId last) {
    const OffsetsView out = plan.out.view();
    for (VertexId u = first; u < last; ++u) {
        const typename Op::Sum change = op.change(u);
        if (change == Op::identity()) continue;
        for (const EdgeId e : edges_of(out, u)) Op::combine_atomically(sums + plan.targets[e], change);
    }
}

}  // namespace lockstep::arc
