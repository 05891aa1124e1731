// The memory that an operator needs per edge and per vertex. It decides whether a plan fits on a
// multiprocessor.
#pragma once

#include "lockstep/schedules/types.hpp"

namespace lockstep {

struct OperatorSize {
    int lanes = 1;          ///< number of lanes (threads of a warp) that process one edge together
    EdgeId held_bytes = 4;  ///< bytes of a vertex's vector in the registers of one lane
    /// resident walk: bytes per resident column in the shared memory of one lane (sizeof(Slot))
    EdgeId slot_bytes = 4;
    /// bytes of a vertex's vector in shared memory (on_chip.hpp); 0 if the operator does not support it
    EdgeId vector_bytes = 0;
    /// Tiled walk: 32-bit words of shared memory that long stars (star/arithmetic.hpp) need once per thread
    /// block, and in addition per warp; 0 if the operator does not support them.
    EdgeId star_words = 0, star_place_words = 0;
};

}  // namespace lockstep
