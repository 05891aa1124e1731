// Edge tiles shared by several devices: each has some neighbouring tiles with their arcs, and finishes the
// targets of these; what they will offer goes to all others after each round. Every device has the operator's
// arrays for all vertices. Beside the contract of operator.hpp the operator has
//
//     float* offered() const    what vertices will offer, by which finish() of one is known to all
//
// Sums that are exact do not depend on who has which arcs: these are the bits of one device.
#pragma once

#include <omp.h>

#include "lockstep/executor/arc/run.hpp"
#include "lockstep/executor/arc/tiles.hpp"

namespace lockstep::arc {

template <class Op>
concept Shared = ArcOperator<Op> && requires(const Op op) {
    { op.offered() } -> std::same_as<float*>;
};

/// Where the tiles of each of `parts` devices begin, and the end: of about equal numbers of arcs and targets.
std::vector<VertexId> part_ends(const Tiles& plan, std::size_t parts);

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
