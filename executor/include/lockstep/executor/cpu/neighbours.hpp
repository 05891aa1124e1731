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

/// Combines what the sources in [first, last) offer.
template <NeighbourOperator Op>
inline typename Op::Sum gather(const Op& op, const VertexId* first, const VertexId* last) {
    typename Op::Sum sum = Op::identity();
    for (; first != last; ++first) sum = Op::combine(sum, Op::lift(op.offer(*first)));
    return sum;
}

/// Pull, and the tiles and bins: targets [first, last).
template <NeighbourOperator Op>
void pull(const NeighbourPlan& plan, const Op& op, VertexId first, VertexId last, typename Op::Tally& tally) {
    constexpr VertexId at_a_time = 64;  // so that finishing some does not wait for what others gather
    typename Op::Sum sums[at_a_time];
    const OffsetsView in = plan.in.view();
    const VertexId* source = plan.sources.data() + in[first];
    for (VertexId begin = first; begin < last; begin += std::min(at_a_time, last - begin)) {
        const VertexId count = std::min(at_a_time, last - begin);
        for (VertexId i = 0; i < count; ++i) {
            const VertexId* const end = plan.sources.data() + in[begin + i + EdgeId{1}];
            sums[i] = gather(op, source, end);
            source = end;
        }
        for (VertexId i = 0; i < count; ++i) op.finish(begin + i, sums[i], tally);
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

/// Where the shares that threads draw end: of equal numbers of vertices and arcs (merge-path), or the tiles.
inline std::vector<VertexId> shares_of(const NeighbourPlan& plan) {
    if (!plan.tiles.empty()) return plan.tiles;
    constexpr EdgeId work = 1 << 14;
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
    constexpr std::size_t at_a_time = 4;  // shares that a thread draws
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
            for (std::size_t i; (i = next.fetch_add(at_a_time, std::memory_order_relaxed)) < shares;) {
                for (std::size_t s = i; s < std::min(i + at_a_time, shares); ++s) work(ends[s], ends[s + 1]);
            }
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
