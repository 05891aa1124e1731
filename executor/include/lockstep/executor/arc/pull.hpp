// The walk `pull`: each worker processes one vertex and combines the values that its in-neighbours offer.
// Only this worker writes the vertex, so no atomics are needed. Other walks that gather derive from its plan.
#pragma once

#include <algorithm>
#include <utility>

#include "lockstep/executor/arc/arcs.hpp"
#include "lockstep/executor/arc/operator.hpp"
#include "lockstep/executor/walk.hpp"

namespace lockstep::arc {

struct Pull : Arcs {
    static constexpr Walk facts{.name = "pull", .family = Family::arcs};
    static constexpr bool scatters = false;
    Offsets in;               ///< offset of the in-arcs of each position
    Array<VertexId> sources;  ///< source of each arc; the arcs are sorted by target
    Weights weights;

    explicit Pull(const OrderedGraph& graph) : Arcs(graph) { graph.by_target(in, sources, weights); }
    const Offsets& lists() const { return in; }
    EdgeId bytes() const { return out.bytes() + in.bytes() + 4 * sources.size() + weights.bytes(); }
    static Work work(EdgeId v, EdgeId e, bool prepared) {
        return {prepared ? e + 4 * v : 3 * e + 2 * v, 3 * v, v, pulled_bytes(v, e)};
    }

protected:
    // Derived plans use this constructor and fill the arrays in their own order of arcs.
    explicit Pull(Arcs graph) : Arcs(std::move(graph)) {}
};

/// Calls work(i, lane) for every index i < count of a list of arcs. `lane` is i % 4 (0 for the last few
/// arcs); it selects one of four independent partial sums. The list is prefetched 1,024 arcs ahead, because
/// random reads of the offers disturb the hardware prefetcher.
template <class Work>
inline void for_each_arc(const VertexId* sources, EdgeId count, Work work) {
    constexpr EdgeId line = 16, ahead = 64 * line;
    EdgeId i = 0;
    for (; i + line <= count; i += line) {
        __builtin_prefetch(sources + i + ahead);
#if !defined(__CUDACC__)
#pragma GCC unroll 16
#endif
        for (EdgeId j = 0; j < line; ++j) work(i + j, j % 4);
    }
    __builtin_prefetch(sources + i + ahead);
    for (; i < count; ++i) work(i, 0);
}

/// Returns the combination of the values that arrive from the first `count` entries of `sources`.
template <ArcOperator Op>
inline typename Op::Sum combined(const Op& op, const VertexId* sources, const WeightsView& weights,
                                 EdgeId count) {
    const auto value = [&](EdgeId i) { return arriving<Op>(op.offer(sources[i]), weights, i); };
    if constexpr (AddsQuickly<Op>) {
        // four independent partial sums, because an addition has a latency of several cycles
        typename Op::FastSum part[4]{};
        for_each_arc(sources, count, [&](EdgeId i, EdgeId lane) { part[lane] += value(i); });
        const auto sum = (part[0] + part[1]) + (part[2] + part[3]);
        if (Op::exact(sum)) return static_cast<typename Op::Sum>(sum);
    }
    typename Op::Sum sum = Op::identity();
    for_each_arc(sources, count, [&](EdgeId i, EdgeId) { sum = Op::combine(sum, Op::to_sum(value(i))); });
    return sum;
}

/// Number of targets whose sums are computed before the first of them is finished, so that the reads of the
/// offers do not wait for the writes of finish().
inline constexpr VertexId targets_at_once = 64;
/// If a batch of targets_at_once targets has at most this many arcs, its sums are computed by sum_running().
inline constexpr EdgeId few_arcs = 1024;

/// Computes the sums of the `count` targets from `first` on, each in a loop of its own.
template <ArcOperator Op>
void sum_each(const Op& op, const VertexId* sources, const WeightsView& weights, const OffsetsView& in,
              VertexId first, VertexId count, typename Op::Sum* sums) {
    EdgeId begin = in[first];
    for (VertexId i = 0; i < count; ++i) {
        const EdgeId end = in[first + i + EdgeId{1}];
        sums[i] = combined(op, sources + begin, weights.from(begin), end - begin);
        begin = end;
    }
}
/// Computes the sums of the `count` targets from `first` on, which have at most few_arcs arcs in total, as
/// differences of prefix sums over their arcs. A separate loop per target would mispredict the branch at its
/// end for most targets of small degree.
template <Subtracts Op>
void sum_running(const Op& op, const VertexId* sources, const WeightsView& weights, const OffsetsView& in,
                 VertexId first, VertexId count, typename Op::Sum* sums) {
    const EdgeId begin = in[first];
    typename Op::Sum running[few_arcs + 1], sum = Op::identity(), before = sum;
    running[0] = sum;
    for_each_arc(sources + begin, in[first + EdgeId{count}] - begin, [&](EdgeId i, EdgeId) {
        running[i + 1] = sum =
            Op::combine(sum, Op::to_sum(arriving<Op>(op.offer(sources[begin + i]), weights, begin + i)));
    });
    for (VertexId i = 0; i < count; ++i) {
        const typename Op::Sum now = running[in[first + i + EdgeId{1}] - begin];
        sums[i] = Op::without(now, before);
        before = now;
    }
}

/// Combines the arriving values of the targets [first, last), and finishes these targets, on a CPU.
template <ArcOperator Op>
void gather(const Pull& plan, const Op& op, VertexId first, VertexId last, typename Op::Tally& tally) {
    typename Op::Sum sums[targets_at_once];
    const OffsetsView in = plan.in.view();
    const VertexId* const sources = plan.sources.data();
    const WeightsView weights = plan.weights.view();
    for (VertexId count; first < last; first += count) {
        count = std::min(targets_at_once, last - first);
        bool few = false;
        if constexpr (Subtracts<Op>) {
            few = in[first + EdgeId{count}] - in[first] <= few_arcs;
            if (few) sum_running(op, sources, weights, in, first, count, sums);
        }
        if (!few) sum_each(op, sources, weights, in, first, count, sums);
        for (VertexId i = 0; i < count; ++i) op.finish(first + i, sums[i], tally);
    }
}

}  // namespace lockstep::arc
