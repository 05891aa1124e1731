// The walks `edge_soa` and `edge_aos`: each worker processes one arc. It reads the value that the source
// offers and combines it atomically into the target's accumulator.
#pragma once

#include "lockstep/executor/arc/push.hpp"

namespace lockstep::arc {

/// The walk with the sources and the targets of the arcs in two arrays.
struct Edges : Push {
    static constexpr Walk facts{.name = "edge_soa", .family = Family::arcs};
    static constexpr bool by_out_degree = false;
    Array<VertexId> sources;  ///< source of each arc; the arcs are sorted by source

    explicit Edges(const OrderedGraph& graph) : Push(graph), sources(arcs) {
        for (VertexId u = 0; u < vertices; ++u) {
            for (const EdgeId e : edges_of(out.view(), u)) sources[e] = u;
        }
    }
    EdgeId bytes() const { return Push::bytes() + 4 * sources.size(); }
    static Work work(EdgeId v, EdgeId e, bool /*prepared*/) {
        return {3 * e + 2 * v, 2 * v, v + e, pulled_bytes(v, e) + 12 * v + 4 * e};
    }
};

/// The walk with one array of pairs (source, target) on a GPU. On a CPU it equals `edge_soa`.
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
                               Op::to_sum(arriving<Op>(op.offer(plan.sources[e]), weights, e)));
}

}  // namespace lockstep::arc
