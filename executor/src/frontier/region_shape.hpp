// The maximum sizes of a graph's regions, and the resulting layout of a region's arrays.
#pragma once

#include "lockstep/executor/frontier/regions.hpp"

namespace lockstep::frontier {

/// Sizes of one region, or their maxima over all regions.
struct RegionCounts {
    EdgeId ghosts = 0;      ///< arcs to other regions
    EdgeId arrivals = 0;    ///< arcs from other regions
    EdgeId neighbours = 0;  ///< regions that arcs lead to
    EdgeId more_lists = 0;  ///< vertices with more arcs than a row holds
    EdgeId more_arcs = 0;   ///< number of the arcs of these vertices beyond their rows
};

/// Sets the sizes and offsets of a shape whose slots and weights are known. Throws ScheduleError if a region
/// does not fit into shared memory.
void place_arrays(RegionShape& shape, const RegionCounts& most);

}  // namespace lockstep::frontier
