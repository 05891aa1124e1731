// Statistics of rounds over active vertices: of each round, and of a whole run.
#pragma once

#include "lockstep/executor/frontier/axes.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep::frontier {

/// Statistics of one round.
struct Round {
    double seconds = 0;
    bool pull = false;
    Filter filter = Filter::none;  ///< the filter that made the list of the next round
    EdgeId active = 0;             ///< vertices that were expanded; in a pull: that looked for a value
    EdgeId arcs = 0;               ///< arcs that were looked at
};

/// Counts of a whole run.
struct Totals {
    EdgeId launches = 0;          ///< kernel launches; 0 on a CPU
    EdgeId worklist_atomics = 0;  ///< atomic operations on the sizes of worklists
    int registers = 0;            ///< registers per thread of the kernel that has the most
};

}  // namespace lockstep::frontier
