// Neighbour iteration on the CPU: one OpenMP team for all rounds, which meets at the barrier of the
// supersteps. Every traversal gives the same bits for any number of threads where the operator's `combine` is
// exact (neighbours.hpp).
#pragma once

#include <omp.h>

#include <algorithm>
#include <exception>

#include "lockstep/executor/cpu/barrier.hpp"
#include "lockstep/executor/neighbours.hpp"

namespace lockstep::cpu {

/// Calls work(i, lane) for every arc i < count, lane being i % 4, or 0 at the end. Sources are fetched 1,024
/// arcs before their turn: a processor's own prefetching stays too far behind where gathers come between.
template <class Work>
inline void each_arc(const VertexId* sources, EdgeId count, Work work) {
    constexpr EdgeId line = 16, ahead = 64 * line;
    EdgeId i = 0;
    for (; i + line <= count; i += line) {
        __builtin_prefetch(sources + i + ahead);
#pragma GCC unroll 16
        for (EdgeId j = 0; j < line; ++j) work(i + j, j % 4);
    }
    __builtin_prefetch(sources + i + ahead);
    for (; i < count; ++i) work(i, 0);
}

/// Combines what `count` sources offer.
template <NeighbourOperator Op>
inline typename Op::Sum gather(const Op& op, const VertexId* sources, EdgeId count) {
    if constexpr (AddsQuickly<Op>) {
        typename Op::Quick part[4]{};  // independent: an addition takes several cycles
        each_arc(sources, count, [&](EdgeId i, EdgeId lane) { part[lane] += op.offer(sources[i]); });
        const auto sum = (part[0] + part[1]) + (part[2] + part[3]);
        if (Op::exact(sum)) return static_cast<typename Op::Sum>(sum);
    }
    typename Op::Sum sum = Op::identity();
    each_arc(sources, count,
             [&](EdgeId i, EdgeId) { sum = Op::combine(sum, Op::lift(op.offer(sources[i]))); });
    return sum;
}

/// Targets whose sums are made before any of them is finished, so that no gather waits for that.
inline constexpr VertexId targets_at_once = 64;
/// Arcs of so many targets up to which sums are running ones.
inline constexpr EdgeId few_arcs = 1024;

/// The sums of `count` targets from `first` on, each by itself.
template <NeighbourOperator Op>
void sum_each(const Op& op, const VertexId* sources, const OffsetsView& in, VertexId first, VertexId count,
              typename Op::Sum* sums) {
    EdgeId begin = in[first];
    for (VertexId i = 0; i < count; ++i) {
        const EdgeId end = in[first + i + EdgeId{1}];
        sums[i] = gather(op, sources + begin, end - begin);
        begin = end;
    }
}
/// The same for few_arcs at most, as differences of running sums: no branch asks where a target ends, which
/// would be mispredicted at most of them where each has a few.
template <Subtracts Op>
void sum_running(const Op& op, const VertexId* sources, const OffsetsView& in, VertexId first, VertexId count,
                 typename Op::Sum* sums) {
    const EdgeId begin = in[first];
    typename Op::Sum running[few_arcs + 1], sum = Op::identity(), before = sum;
    running[0] = sum;
    each_arc(sources + begin, in[first + EdgeId{count}] - begin, [&](EdgeId i, EdgeId) {
        running[i + 1] = sum = Op::combine(sum, Op::lift(op.offer(sources[begin + i])));
    });
    for (VertexId i = 0; i < count; ++i) {
        const typename Op::Sum now = running[in[first + i + EdgeId{1}] - begin];
        sums[i] = Op::without(now, before);
        before = now;
    }
}

/// Pull, and the tiles and bins: targets [first, last).
template <NeighbourOperator Op>
void pull(const NeighbourPlan& plan, const Op& op, VertexId first, VertexId last, typename Op::Tally& tally) {
    typename Op::Sum sums[targets_at_once];
    const OffsetsView in = plan.in.view();
    const VertexId* const sources = plan.sources.data();
    for (VertexId count; first < last; first += count) {
        count = std::min(targets_at_once, last - first);
        bool few = false;
        if constexpr (Subtracts<Op>) {
            few = in[first + EdgeId{count}] - in[first] <= few_arcs;
            if (few) sum_running(op, sources, in, first, count, sums);
        }
        if (!few) sum_each(op, sources, in, first, count, sums);
        for (VertexId i = 0; i < count; ++i) op.finish(first + i, sums[i], tally);
    }
}

/// Push and edges: the arcs of sources [first, last).
template <NeighbourOperator Op>
void scatter(const NeighbourPlan& plan, const Op& op, VertexId first, VertexId last) {
    const OffsetsView out = plan.out.view();
    if (plan.traversal != Traversal::push) {
        for (EdgeId e = out[first]; e < out[last]; ++e)
            Op::combine_atomically(op.accumulator(plan.targets[e]), Op::lift(op.offer(plan.sources[e])));
        return;
    }
    for (VertexId u = first; u < last; ++u) {
        const EdgeId end = out[u + EdgeId{1}];
        EdgeId e = out[u];
        if (e == end) continue;
        const typename Op::Sum value = Op::lift(op.offer(u));
        for (; e < end; ++e) Op::combine_atomically(op.accumulator(plan.targets[e]), value);
    }
}

/// What was scattered to vertices [first, last): finishes them, and clears their accumulators.
template <NeighbourOperator Op>
void finish(const Op& op, VertexId first, VertexId last, typename Op::Tally& tally) {
    for (VertexId v = first; v < last; ++v) {
        const typename Op::Sum sum = *op.accumulator(v);
        *op.accumulator(v) = Op::identity();
        op.finish(v, sum, tally);
    }
}

/// Where the shares that threads draw end: of equal numbers of vertices and arcs (merge-path). Tiles are cut
/// for the warps of a device, too small to be drawn.
inline std::vector<VertexId> shares_of(const NeighbourPlan& plan) {
    constexpr EdgeId work = 1 << 15;
    const OffsetsView arcs = plan.scatters() ? plan.out.view() : plan.in.view();
    std::vector<VertexId> ends{0};
    for (VertexId v = 0; v < plan.vertices; ++v) {
        const VertexId first = ends.back();
        if (arcs[v + EdgeId{1}] - arcs[first] + (v + EdgeId{1} - first) >= work) ends.push_back(v + 1);
    }
    if (ends.back() < plan.vertices) ends.push_back(plan.vertices);
    return ends;
}

/// Rounds until the operator ends them; when `on_round(tally, seconds)` returns false the next is the last.
/// What `on_round` throws ends them, too.
template <NeighbourOperator Op, class OnRound>
void iterate(const NeighbourPlan& plan, Op op, int threads, OnRound on_round) {
    if (plan.vertices == 0) return;
    const std::vector<VertexId> ends = shares_of(plan);
    const std::size_t shares = ends.size() - 1;
    std::atomic<std::size_t> drawn{0}, finished{0};
    std::vector<typename Op::Tally> tallies(static_cast<std::size_t>(threads));
    std::exception_ptr thrown;
    bool more = true;
    double start = omp_get_wtime();
    Barrier barrier;
#pragma omp parallel num_threads(threads)
    {
        const int team = omp_get_num_threads(), me = omp_get_thread_num();
        const auto draw = [&](std::atomic<std::size_t>& next, auto work) {
            for (std::size_t s; (s = next.fetch_add(1, std::memory_order_relaxed)) < shares;)
                work(ends[s], ends[s + 1]);
        };
        while (more) {
            typename Op::Tally tally{};
            if (plan.scatters()) {
                draw(drawn, [&](VertexId first, VertexId last) { scatter(plan, op, first, last); });
                barrier.arrive_and_wait(team);
                draw(finished, [&](VertexId first, VertexId last) { finish(op, first, last, tally); });
            } else {
                draw(drawn, [&](VertexId first, VertexId last) { pull(plan, op, first, last, tally); });
            }
            tallies[static_cast<std::size_t>(me)] = tally;
            barrier.arrive_and_wait(team);
            if (me == 0) {
                typename Op::Tally total{};
                for (int t = 0; t < team; ++t) add_tally(total, tallies[static_cast<std::size_t>(t)]);
                drawn = finished = 0;
                more = op.advance(total);
                const double now = omp_get_wtime();
                try {
                    if (!on_round(total, now - start)) op.make_last();
                } catch (...) {
                    thrown = std::current_exception();
                    more = false;
                }
                start = omp_get_wtime();
            }
            barrier.arrive_and_wait(team);
        }
    }
    if (thrown) std::rethrow_exception(thrown);
}

}  // namespace lockstep::cpu
