// What an operator takes of a multiprocessor, as far as plans fit or do not.
#pragma once

#include "lockstep/schedules/types.hpp"

namespace lockstep {

struct OperatorSize {
    int lanes = 1;            ///< that share an edge
    EdgeId held_bytes = 4;    ///< of a vertex, in one lane's thread
    EdgeId slot_bytes = 4;    ///< resident: of a column that a worker keeps, in one lane's thread
    EdgeId vector_bytes = 0;  ///< of a vertex on chip (on_chip.hpp); 0: it cannot be there
    /// Tiled: long stars in a pipeline of warps take so many words once, and so many a warp; 0: they do not.
    EdgeId star_words = 0, star_place_words = 0;
};

}  // namespace lockstep
