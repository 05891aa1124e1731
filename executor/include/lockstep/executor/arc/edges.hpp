// Edges: each worker processes one arc and combines the offer of its source into its target atomically.
#pragma once

#include "lockstep/executor/arc/push.hpp"

namespace lockstep::arc {

/// The endpoints in two arrays.
struct Edges : Push {
    static constexpr Walk facts{.name = "edge_soa", .family = Family::arcs};
    static constexpr bool by_out_degree = false;
    Array<VertexId> sources;  ///< source of each arc, by source

    explicit Edges(const Numbered& graph) : Push(graph), sources(arcs) {
        for (VertexId u = 0; u < vertices; ++u) {
            for (const EdgeId e : edges_of(out.view(), u)) sources[e] = u;
        }
    }
    EdgeId bytes() const { return Push::bytes() + 4 * sources.size(); }
    static Work work(EdgeId v, EdgeId e, bool /*prepared*/) {
        return {3 * e + 2 * v, 2 * v, v + e, pulled_bytes(v, e) + 12 * v + 4 * e};
    }
};

/// The endpoints in one array of pairs, on a GPU.
struct EdgePairs : Edges {
    static constexpr Walk facts{.name = "edge_aos", .family = Family::arcs, .on_cpu = Edges::facts.name};
    using Edges::Edges;
};

/// Processes the arcs of the sources [first, last) on a CPU.
template <ArcOperator Op>
void scatter(const Edges& plan, const Op& op, typename Op::Sum* sums, VertexId first, VertexId last) {
    const OffsetsView out = plan.out.view();
    const WeightsView weights = plan.weights.view();
    for (EdgeId e = out[first]; e < out[last]; ++e)
        Op::combine_atomically(sums + plan.targets[e],
                               Op::lift(arriving<Op>(op.offer(plan.sources[e]), weights, e)));
}

}  // namespace lockstep::arc
