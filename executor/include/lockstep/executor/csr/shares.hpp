// Who takes the arcs of a vertex on a GPU, by its degree.
#pragma once

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// Which workers a vertex's arcs may be given to. The coarsest one whose bound its degree reaches takes it,
/// the finest one what none takes.
struct Balance {
    int lanes = 1;      ///< of the workers for few arcs: 1 (serial), 2 … 16 (part of a warp); 0: none
    bool fine = false;  ///< few arcs: those of a block's vertices dealt out to its threads evenly
    bool warp = false, block = false;
    bool operator==(const Balance&) const = default;
};

/// With these bounds.
struct Shares {
    Balance balance;
    EdgeId small = 32, large = 1024;  ///< degrees from which a warp, a block takes a vertex
    bool operator==(const Shares&) const = default;
};

}  // namespace lockstep
