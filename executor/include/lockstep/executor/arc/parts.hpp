// Distributes the walk `edge_tiled` over several devices, of one process or of several processes. Each device
// has a range of consecutive tiles with their arcs, and finishes the targets of these tiles. After each
// round, the devices exchange the new offers of all targets. Every device has the operator's arrays for all
// vertices. In addition to the contract of operator.hpp, the operator has
//
//     float* offered() const    next offers of all vertices; other devices need only these from finish()
//
// Exact sums do not depend on the distribution of the arcs, so the result is bitwise identical to that of one
// device.
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

/// Divides the tiles among `parts` devices with about equal numbers of arcs plus targets. Returns the first
/// tile of each device and, as the last element, the number of tiles.
std::vector<VertexId> part_ends(const Tiles& plan, std::size_t parts);
/// Returns the first target of each of `parts` devices and, as the last element, the number of targets.
std::vector<VertexId> part_targets(const Tiles& plan, std::size_t parts);
/// Returns the first target of each process and, as the last element, the number of targets. A single process
/// has all targets. Several processes require a plan of the walk `edge_tiled`.
std::vector<VertexId> process_targets(const ArcPlan& plan);

/// Exchanges an array with one value per position. Each process provides the values of its own targets;
/// afterwards all processes have all values. All processes must call this function.
template <class T>
void gather_parts(T* values, const std::vector<VertexId>& targets) {
    for (int r = 0; r < ranks().count(); ++r) {
        const VertexId first = targets[static_cast<std::size_t>(r)],
                       last = targets[static_cast<std::size_t>(r) + 1];
        ranks().broadcast(std::as_writable_bytes(std::span(values + first, last - first)), r);
    }
}
/// Returns the sum of the tallies of all processes. All processes must call this function.
template <class Tally>
Tally of_all(const Tally& tally) {
    auto words = std::bit_cast<std::array<EdgeId, tally_words<Tally>>>(tally);
    ranks().sum(words);
    return std::bit_cast<Tally>(words);
}

/// Runs rounds of several copies of an operator, one per device, until the operator ends them. work() runs
/// one round, including the exchange of offers, and returns its tally. If `on_round(tally, seconds)` returns
/// false, the next round is the last one.
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
        for (Op& op : ops) op.end_after_next_round();
    }
}

}  // namespace lockstep::arc
