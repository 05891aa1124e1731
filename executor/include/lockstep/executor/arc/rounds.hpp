// Runs rounds of an arc operator on the CPU: one OpenMP team runs all rounds, with a barrier between
// supersteps. If the operator's `combine` is exact (operator.hpp), every walk gives bitwise identical results
// for any number of threads. If there are several processes, each process only handles arcs to its own
// targets (parts.hpp).
#pragma once

#include <omp.h>

#include <exception>

#include "lockstep/executor/arc/parts.hpp"

namespace lockstep::cpu {

/// Divides the vertices [begin, end) into shares that threads claim, with about equal numbers of vertices
/// plus arcs (as in merge-path), and returns their bounds.
inline std::vector<VertexId> shares_of(const ArcPlan& plan, VertexId begin, VertexId end) {
    constexpr EdgeId work = 1 << 15;
    const OffsetsView arcs = std::visit([](const auto& walk) { return walk.lists().view(); }, plan);
    std::vector<VertexId> ends{begin};
    for (VertexId v = begin; v < end; ++v) {
        const VertexId first = ends.back();
        if (arcs[v + EdgeId{1}] - arcs[first] + (v + EdgeId{1} - first) >= work) ends.push_back(v + 1);
    }
    if (ends.back() < end) ends.push_back(end);
    return ends;
}

/// Returns true if the current round combines values into accumulators, so that a second pass must finish the
/// vertices.
template <ArcOperator Op>
bool uses_scatter(const ArcPlan& plan, const Op& op) {
    if constexpr (Changes<Op>) {
        if (std::holds_alternative<arc::PullPush>(plan)) return op.few();
    }
    return scatters(plan);
}

/// Finishes the vertices [first, last) with the values of their accumulators. If not `keeps`, resets the
/// accumulators for the next round.
template <ArcOperator Op>
void finish_scattered(const Op& op, typename Op::Sum* sums, VertexId first, VertexId last, bool keeps,
                      typename Op::Tally& tally) {
    for (VertexId v = first; v < last; ++v) {
        const typename Op::Sum sum = sums[v];
        if (!keeps) sums[v] = Op::identity();
        op.finish(v, sum, tally);
    }
}

/// Runs the part of a round that belongs to the vertices [first, last): as sources if the walk scatters,
/// otherwise as targets.
template <class Walk, ArcOperator Op>
void share(const Walk& walk, const Op& op, typename Op::Sum* sums, VertexId first, VertexId last,
           typename Op::Tally& tally) {
    if constexpr (Walk::scatters) {
        scatter(walk, op, sums, first, last);
    } else if constexpr (Changes<Op> && std::is_same_v<Walk, arc::PullPush>) {
        if (op.few())
            scatter_changes(walk, op, sums, first, last);
        else
            gather(walk, arc::SumStoringOperator<Op>(op, sums), first, last, tally);
    } else {
        gather(walk, op, first, last, tally);
    }
}

/// Runs rounds until the operator ends them. If `on_round(tally, seconds)` returns false, the next round is
/// the last one. An exception of `on_round` ends the rounds and is rethrown. Returns the operator in its
/// state after the last round.
template <ArcOperator Op, class OnRound>
Op iterate(const ArcPlan& plan, Op op, int threads, OnRound on_round) {
    if (arcs_of(plan).vertices == 0) return op;
    const bool keeps = Changes<Op> && std::holds_alternative<arc::PullPush>(plan);
    std::vector<typename Op::Sum> sums(keeps || scatters(plan) ? arcs_of(plan).vertices : 0, Op::identity());
    const std::vector<VertexId> targets = arc::process_targets(plan);
    const auto own = targets.begin() + ranks().rank();
    const std::vector<VertexId> ends = shares_of(plan, own[0], own[1]);
    const std::size_t shares = ends.size() - 1;
    std::atomic<std::size_t> drawn{0}, finished{0};
    std::vector<typename Op::Tally> tallies(static_cast<std::size_t>(threads));
    std::exception_ptr thrown;
    bool more = true;
    double start = omp_get_wtime();
#pragma omp parallel num_threads(threads)
    {
        const int team = omp_get_num_threads(), me = omp_get_thread_num();
        const auto process_chunks = [&](std::atomic<std::size_t>& next, auto work) {
            for (std::size_t s; (s = next.fetch_add(1, std::memory_order_relaxed)) < shares;)
                work(ends[s], ends[s + 1]);
        };
        while (more) {
            typename Op::Tally tally{};
            std::visit(
                [&]<class Walk>(const Walk& walk) {
                    process_chunks(drawn, [&](VertexId first, VertexId last) {
                        share(walk, op, sums.data(), first, last, tally);
                    });
                },
                plan);
            if (uses_scatter(plan, op)) {
#pragma omp barrier
                process_chunks(finished, [&](VertexId first, VertexId last) {
                    finish_scattered(op, sums.data(), first, last, keeps, tally);
                });
            }
            tallies[static_cast<std::size_t>(me)] = tally;
#pragma omp barrier
            if (me == 0) {
                typename Op::Tally total{};
                for (int t = 0; t < team; ++t) add_tally(total, tallies[static_cast<std::size_t>(t)]);
                drawn = finished = 0;
                try {
                    if constexpr (arc::Shared<Op>) arc::gather_parts(op.offered(), targets);
                    total = arc::of_all(total);
                    more = op.next_round(total);
                    if (!on_round(total, omp_get_wtime() - start)) op.end_after_next_round();
                } catch (...) {
                    thrown = std::current_exception();
                    more = false;
                }
                start = omp_get_wtime();
            }
#pragma omp barrier
        }
    }
    if (thrown) std::rethrow_exception(thrown);
    return op;
}

}  // namespace lockstep::cpu

namespace lockstep::arc {

/// An allocator of arrays in main memory, for Memory::place.
struct HostArrays {
    std::vector<Array<std::byte>> arrays;
    void* operator()(EdgeId bytes, const Memory::Fill& fill) {
        void* const array = arrays.emplace_back(bytes).data();
        fill(array);
        return array;
    }
};

template <ArcOperator Op>
RunnerOf<Op> on_cpu(const ArcPlan& plan, const Op& op, int threads) {
    return {host_bytes(plan) + state_bytes(plan, op), 0,
            [&plan, op, threads](const auto& on_round, double* seconds) {
                HostArrays arrays;
                Memory memory{arcs_of(plan), arcs_of(plan).out.view(), std::ref(arrays)};
                Op run = op;
                run.start(memory);
                *seconds = 0;
                run = cpu::iterate(plan, run, threads, [&](const auto& tally, double of_round) {
                    *seconds += of_round;
                    return on_round(op.make_report(tally, of_round));
                });
                using Value = std::remove_cvref_t<decltype(*run.result())>;
                gather_parts(const_cast<Value*>(run.result()), process_targets(plan));
                return by_vertex(memory.arcs, run.result());
            },
            is_bit_reproducible<Op>(plan)};
}

}  // namespace lockstep::arc
