// Computes the layout of a region's record (regions.hpp) from the maximum sizes over all regions of a graph.
#pragma once

#include "lockstep/executor/frontier/regions.hpp"

namespace lockstep::frontier {

/// The sizes of one region, or the maximum of each size over all regions.
struct RegionCounts {
    EdgeId ghosts = 0;      ///< number of arcs to other regions
    EdgeId arrivals = 0;    ///< number of arcs from other regions
    EdgeId neighbours = 0;  ///< number of regions to which arcs lead
    EdgeId more_lists = 0;  ///< number of vertices with more arcs than fit in a row
    EdgeId more_arcs = 0;   ///< number of arcs of these vertices that do not fit in the rows
};

/// Sets the sizes and offsets of a shape; its slots and the type of its weights must be set already. Throws
/// ScheduleError if a region does not fit in shared memory.
void place_arrays(RegionShape& shape, const RegionCounts& most);

}  // namespace lockstep::frontier
