// The walk `push`: each worker processes one vertex and combines its offer atomically into the accumulators
// of its out-neighbours.
#pragma once

#include "lockstep/executor/arc/arcs.hpp"
#include "lockstep/executor/arc/operator.hpp"
#include "lockstep/executor/walk.hpp"

namespace lockstep::arc {

struct Push : Arcs {
    static constexpr Walk facts{.name = "push", .family = Family::arcs};
    static constexpr bool scatters = true, by_out_degree = true;
    Weights weights;
    Array<VertexId> targets;  ///< target of each arc; the arcs are sorted by source

    explicit Push(const OrderedGraph& graph) : Arcs(graph), targets(graph.targets(out, weights)) {}
    const Offsets& lists() const { return out; }
    EdgeId bytes() const { return out.bytes() + 4 * targets.size() + weights.bytes(); }
    /// Returns the number of memory accesses by the formulas of the paper (see Work). `prepared` is
    /// Strategy::prepared; only pull depends on it.
    static Work work(EdgeId v, EdgeId e, bool /*prepared*/) {
        return {5 * v, 2 * v, v + e, pulled_bytes(v, e) + 12 * v};
    }
};

/// Sends the offers of the sources [first, last) along their arcs, on a CPU.
template <ArcOperator Op>
void scatter(const Push& plan, const Op& op, typename Op::Sum* sums, VertexId first, VertexId last) {
    const OffsetsView out = plan.out.view();
    const WeightsView weights = plan.weights.view();
    for (VertexId u = first; u < last; ++u) {
        const EdgeRange arcs = edges_of(out, u);
        if (arcs.size() == 0) continue;
        const typename Op::Value offer = op.offer(u);
        for (const EdgeId e : arcs)
            Op::combine_atomically(sums + plan.targets[e], Op::to_sum(arriving<Op>(offer, weights, e)));
    }
}

}  // namespace lockstep::arc
