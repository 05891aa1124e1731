// How large the regions of a graph are at most, and so where a region's arrays lie.
#pragma once

#include "lockstep/executor/frontier/regions.hpp"

namespace lockstep::frontier {

/// Of one region, or the most of any.
struct RegionCounts {
    EdgeId ghosts = 0;      ///< arcs to other regions
    EdgeId arrivals = 0;    ///< arcs from other regions
    EdgeId neighbours = 0;  ///< regions that arcs lead to
    EdgeId more_lists = 0;  ///< vertices with more arcs than a row holds
    EdgeId more_arcs = 0;   ///< those arcs
};

/// Sets the sizes and offsets of a shape whose slots and weights are known. Throws ScheduleError where a
/// region does not fit on chip.
void place_arrays(RegionShape& shape, const RegionCounts& most);

}  // namespace lockstep::frontier
