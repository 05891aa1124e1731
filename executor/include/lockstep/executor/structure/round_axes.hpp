// Options of rounds over a structure: the three optimisations of IrGL, as far as a structure can use them.
#pragma once

#include "lockstep/executor/csr/shares.hpp"
#include "lockstep/executor/worklist/axes.hpp"

namespace lockstep::structure {

struct RoundAxes {
    Shares shares{};            ///< distribution of the arcs of a vertex over threads
    worklist::Append append{};  ///< granularity at which threads append to a list
    worklist::Loop loop{};
};

}  // namespace lockstep::structure
