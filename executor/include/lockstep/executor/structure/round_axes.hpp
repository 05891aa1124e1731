// What rounds through a structure can be told: the three optimisations of IrGL, as far as each has a use for them.
#pragma once

#include "lockstep/executor/csr/shares.hpp"
#include "lockstep/executor/worklist/axes.hpp"

namespace lockstep::structure {

struct RoundAxes {
    Shares shares{};            ///< who takes the arcs of a vertex
    worklist::Append append{};  ///< who adds to a list at once
    worklist::Loop loop{};
};

}  // namespace lockstep::structure
