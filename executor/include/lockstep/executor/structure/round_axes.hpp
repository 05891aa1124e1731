// Options of algorithms that run in rounds: the three optimizations of IrGL, as far as the algorithms of this
// family can use them.
#pragma once

#include "lockstep/executor/csr/shares.hpp"
#include "lockstep/executor/worklist/axes.hpp"

namespace lockstep::structure {

struct RoundAxes {
    Shares shares{};  ///< distribution of the arcs of a vertex over threads (nested parallelism)
    /// group of threads that shares one atomic operation when it appends to a list
    worklist::Append append{};
    worklist::Loop loop{};
};

}  // namespace lockstep::structure
