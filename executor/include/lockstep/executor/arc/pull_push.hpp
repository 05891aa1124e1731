// Pull, with push at the end (SIMD-X: Liu, Huang, ATC 2019): edge tiles while many offers change. When few
// offers change, each vertex whose offer differs from the round before sends the difference along its arcs,
// into sums that are kept. Both methods give the same integer sums, so the switch may happen in any round.
// For operators that cannot detect changes, every round is a pull.
#pragma once

#include "lockstep/executor/arc/tiles.hpp"

namespace lockstep::arc {

struct PullPush : Tiles {
    static constexpr Walk facts{.name = "pull_push", .family = Family::arcs, .form = forms::targets};
    Array<VertexId> targets;  ///< target of each arc, by source

    PullPush(const Numbered& graph, const Schedule& schedule) : Tiles(graph, schedule) {
        Weights none;
        targets = graph.targets(out, none);
    }
    EdgeId bytes() const { return Tiles::bytes() + 4 * targets.size(); }
};

/// Wraps an operator such that the sum of a vertex is stored when the vertex is finished.
template <Changes Op>
struct Keeping : Op {
    typename Op::Sum* sums;
    LOCKSTEP_HD Keeping(const Op& op, typename Op::Sum* kept) : Op(op), sums(kept) {}
    LOCKSTEP_HD void finish(VertexId v, typename Op::Sum sum, typename Op::Tally& tally) const {
        sums[v] = sum;
        Op::finish(v, sum, tally);
    }
};

/// Sends the changes of the offers of the sources [first, last) along their arcs, on a CPU.
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
