// Priorities by near-far in the generic walk: vertices with values above a limit wait in a "far pile" until
// all vertices below the limit have been processed.
#pragma once

#include "lockstep/executor/frontier/filter.cuh"

namespace lockstep::frontier {

/// Divides the far pile of a phase. Vertices with values below `new_limit` go to the list of the next round,
/// all others to the far pile of the next phase. A vertex whose value is already below the old limit is
/// skipped, because it was listed when its value fell. All threads of the block must call the function. It
/// advances `w` to the next phase.
template <class Op>
__device__ void split(const State<Op>& s, Worker<Op>& w, unsigned which, unsigned new_limit) {
    const VertexId* const from = s.far[w.phase & 1];
    const unsigned size = __ldcg(&s.piles->size[w.phase & 1]);
    ++w.phase, w.listed = w.mine->split[which];
    unsigned least = nowhere;
    const auto look = [&](VertexId v) {
        const unsigned bits = bits_of(peek(s.values + v));
        if (bits < w.limit) return;
        if (bits < new_limit) {
            put(s.stamps + v, w.round + 1);
            w.add(v);
            ++w.found;
            if (s.adaptive) w.found_arcs += s.out.degree(v);
        } else {
            s.far_marks[v] = w.phase + 1;
            w.move_to_far_pile(v);
            least = min(least, bits);
        }
    };
    for (EdgeId first = EdgeId{blockIdx.x} * block_threads; first < size; first += threads_of_grid()) {
        if (first + threadIdx.x < size) look(from[first + threadIdx.x]);
        w.flush(false);
    }
    least = min_of_warp(least);
    if (lane_of_warp() == 0 && least != nowhere) atomicMin(&s.piles->least[w.phase & 1], least);
}

}  // namespace lockstep::frontier
