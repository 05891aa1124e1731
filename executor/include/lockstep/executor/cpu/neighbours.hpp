// Neighbour iteration on the CPU: one OpenMP team. Every traversal gives the same bits for any number of
// threads where the operator's `combine` is exact (neighbours.hpp).
#pragma once

#include <omp.h>

#include <algorithm>

#include "lockstep/executor/neighbours.hpp"

namespace lockstep::cpu {

/// Combines what the sources in [first, last) offer, four at a time.
template <NeighbourOperator Op>
inline typename Op::Sum gather(const Op& op, const VertexId* first, const VertexId* last) {
    using Sum = typename Op::Sum;
    Sum even = Op::identity(), odd = Op::identity();
    for (; last - first >= 4; first += 4) {
        even = Op::combine(even, Op::lift(op.offer(first[0])));
        odd = Op::combine(odd, Op::lift(op.offer(first[1])));
        even = Op::combine(even, Op::lift(op.offer(first[2])));
        odd = Op::combine(odd, Op::lift(op.offer(first[3])));
    }
    for (; first != last; ++first) even = Op::combine(even, Op::lift(op.offer(*first)));
    return Op::combine(even, odd);
}

/// Pull, and the tiles and bins of targets: `ends` cuts the positions into shares of about equal work.
template <NeighbourOperator Op>
typename Op::Tally pull_round(const NeighbourPlan& plan, const Op& op, const std::vector<VertexId>& ends,
                              int threads) {
    typename Op::Tally total{};
    const OffsetsView in = plan.in.view();
#pragma omp parallel num_threads(threads)
    {
        typename Op::Tally mine{};
#pragma omp for schedule(dynamic, 4) nowait
        for (std::size_t i = 0; i < ends.size() - 1; ++i) {
            const VertexId* source = plan.sources.data() + in[ends[i]];
            for (VertexId v = ends[i]; v < ends[i + 1]; ++v) {
                const VertexId* const last = plan.sources.data() + in[v + EdgeId{1}];
                op.finish(v, gather(op, source, last), mine);
                source = last;
            }
        }
#pragma omp critical(lockstep_tally)
        add_tally(total, mine);
    }
    return total;
}

/// What `combine_atomically` gathered: finish every vertex, and clear its accumulator.
template <NeighbourOperator Op>
typename Op::Tally finish_round(const NeighbourPlan& plan, const Op& op, int threads) {
    typename Op::Tally total{};
#pragma omp parallel num_threads(threads)
    {
        typename Op::Tally mine{};
#pragma omp for schedule(static) nowait
        for (VertexId v = 0; v < plan.vertices; ++v) {
            const typename Op::Sum sum = *op.accumulator(v);
            *op.accumulator(v) = Op::identity();
            op.finish(v, sum, mine);
        }
#pragma omp critical(lockstep_tally)
        add_tally(total, mine);
    }
    return total;
}

template <NeighbourOperator Op>
void push_round(const NeighbourPlan& plan, const Op& op, int threads) {
    const OffsetsView out = plan.out.view();
#pragma omp parallel for schedule(dynamic, 1024) num_threads(threads)
    for (VertexId u = 0; u < plan.vertices; ++u) {
        const EdgeId end = out[u + EdgeId{1}];
        EdgeId e = out[u];
        if (e == end) continue;
        const typename Op::Sum value = Op::lift(op.offer(u));
        for (; e < end; ++e) Op::combine_atomically(op.accumulator(plan.targets[e]), value);
    }
}

template <NeighbourOperator Op>
void edge_round(const NeighbourPlan& plan, const Op& op, int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (EdgeId e = 0; e < plan.arcs; ++e)
        Op::combine_atomically(op.accumulator(plan.targets[e]), Op::lift(op.offer(plan.sources[e])));
}

/// Shares of a pull for a team: ends of equal numbers of targets and arcs (merge-path), or the plan's tiles.
inline std::vector<VertexId> pull_shares(const NeighbourPlan& plan) {
    if (!plan.tiles.empty()) return plan.tiles;
    constexpr EdgeId work = 1 << 14;
    std::vector<VertexId> ends{0};
    for (VertexId v = 0; v < plan.vertices; ++v) {
        const VertexId first = ends.back();
        if (plan.in[v + EdgeId{1}] - plan.in[first] + (v + EdgeId{1} - first) >= work) ends.push_back(v + 1);
    }
    if (ends.back() < plan.vertices) ends.push_back(plan.vertices);
    return ends;
}

/// Rounds until the operator ends them; when `on_round(tally, seconds)` returns false the next is the last.
template <NeighbourOperator Op, class OnRound>
void iterate(const NeighbourPlan& plan, Op op, int threads, OnRound on_round) {
    const bool scatters = plan.scatters();
    const std::vector<VertexId> shares = scatters ? std::vector<VertexId>{} : pull_shares(plan);
    for (bool more = plan.vertices > 0; more;) {
        const double start = omp_get_wtime();
        if (plan.traversal == Traversal::push) {
            push_round(plan, op, threads);
        } else if (scatters) {
            edge_round(plan, op, threads);
        }
        const typename Op::Tally tally =
            scatters ? finish_round(plan, op, threads) : pull_round(plan, op, shares, threads);
        more = op.advance(tally);
        if (!on_round(tally, omp_get_wtime() - start)) op.make_last();
    }
}

}  // namespace lockstep::cpu
