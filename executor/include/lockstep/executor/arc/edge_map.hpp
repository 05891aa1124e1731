// The plans of the edge map, whose walks differ only in direction and balance. `push`: each worker processes
// one vertex and combines its offer atomically into the accumulators of its out-neighbours. `pull`
// (pull.hpp): each worker combines the offers of the in-neighbours of one vertex. `edge_soa` and `edge_aos`:
// each worker processes one arc like a push. `push_warps` and `pull_warps`: several threads of a GPU process
// the arcs of one vertex (virtual warps: Hong et al., "Accelerating CUDA graph algorithms at maximum warp",
// PPoPP 2011); on a CPU, they equal plain push and pull. The GPU code is in edge_map.cuh.
#pragma once

#include "lockstep/executor/arc/pull.hpp"

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

/// The shape of virtual warps: `width` threads process one vertex together. They load the offsets of chunk x
/// width vertices at a time.
struct VirtualWarps {
    int width = 32;  ///< number of threads: 1, 2, 4, … 64
    int chunk = 1;   ///< number of vertices per thread of a chunk: 1 … 10

    /// Returns half the mean degree of the graph, rounded down to a power of two, and at most 32. The arcs of
    /// an average vertex are then read in about two steps.
    static int fitting_width(const Graph& graph);
    /// Throws Error (usage) if `width` or `chunk` is not one of the values above.
    void check() const;
};

struct PushWarps : Push {
    static constexpr Walk facts{
        .name = "push_warps", .family = Family::arcs, .virtual_warps = true, .on_cpu = Push::facts.name};
    VirtualWarps warps;
    PushWarps(const OrderedGraph& graph, VirtualWarps shape) : Push(graph), warps(shape) {}
};
struct PullWarps : Pull {
    static constexpr Walk facts{
        .name = "pull_warps", .family = Family::arcs, .virtual_warps = true, .on_cpu = Pull::facts.name};
    VirtualWarps warps;
    PullWarps(const OrderedGraph& graph, VirtualWarps shape) : Pull(graph), warps(shape) {}
};

}  // namespace lockstep::arc
