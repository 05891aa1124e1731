// Edge tiles shared by several devices, of one process or of several: each has some neighbouring tiles with
// their arcs, and finishes the targets of these; what they will offer goes to all others after each round.
// Every device has the operator's arrays for all vertices. The operator has, beside operator.hpp's contract,
//
//     float* offered() const    what vertices will offer, by which finish() of one is known to all
//
// Sums that are exact do not depend on who has which arcs: these are the bits of one device.
#pragma once

#include <omp.h>

#include <array>
#include <bit>
#include <span>

#include "lockstep/executor/arc/run.hpp"
#include "lockstep/executor/arc/tiles.hpp"
#include "lockstep/executor/ranks.hpp"

namespace lockstep::arc {

template <class Op>
concept Shared = ArcOperator<Op> && requires(const Op op) {
    { op.offered() } -> std::same_as<float*>;
};

/// Where the tiles of each of `parts` devices begin, and the end: of about equal numbers of arcs and targets.
std::vector<VertexId> part_ends(const Tiles& plan, std::size_t parts);
/// Where the targets of each begin, and the end.
std::vector<VertexId> part_targets(const Tiles& plan, std::size_t parts);
/// The same of the processes of a run. One has all; several share edge tiles alone.
std::vector<VertexId> process_targets(const ArcPlan& plan);

/// Of an array by position each process has its own targets' values; then all have all. Called by all.
template <class T>
void gather_parts(T* values, const std::vector<VertexId>& targets) {
    for (int r = 0; r < ranks().count(); ++r) {
        const VertexId first = targets[static_cast<std::size_t>(r)],
                       last = targets[static_cast<std::size_t>(r) + 1];
        ranks().broadcast(std::as_writable_bytes(std::span(values + first, last - first)), r);
    }
}
/// Tallies of all processes, added up. Called by all.
template <class Tally>
Tally of_all(const Tally& tally) {
    auto words = std::bit_cast<std::array<EdgeId, tally_words<Tally>>>(tally);
    ranks().sum(words);
    return std::bit_cast<Tally>(words);
}

/// Rounds of operators, one a device, until they end them. work() does one, so that all have what is offered,
/// and returns its tally; when `on_round(tally, seconds)` returns false the next is the last.
template <Shared Op, class Work, class OnRound>
void iterate_parts(std::vector<Op>& ops, Work work, OnRound on_round, double* seconds) {
    *seconds = 0;
    for (bool more = true; more;) {
        const double start = omp_get_wtime();
        const typename Op::Tally tally = work();
        for (Op& op : ops) more = op.next_round(tally);
        const double of_round = omp_get_wtime() - start;
        *seconds += of_round;
        if (on_round(tally, of_round)) continue;
        for (Op& op : ops) op.make_last();
    }
}

}  // namespace lockstep::arc
