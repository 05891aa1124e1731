// The resources of a multiprocessor that an operator uses. They decide whether a plan fits.
#pragma once

#include "lockstep/schedules/types.hpp"

namespace lockstep {

struct OperatorSize {
    int lanes = 1;          ///< number of lanes that share an edge
    EdgeId held_bytes = 4;  ///< bytes of a vertex in the thread of one lane
    /// resident walk: bytes per column that a worker keeps, in the thread of one lane
    EdgeId slot_bytes = 4;
    EdgeId vector_bytes = 0;  ///< bytes of a vertex in shared memory (on_chip.hpp); 0 if it cannot be there
    /// Tiled walk: 32-bit words of shared memory that the pipeline of warps for long stars uses once, and per
    /// warp; 0 if the operator has no such pipeline.
    EdgeId star_words = 0, star_place_words = 0;
};

}  // namespace lockstep
