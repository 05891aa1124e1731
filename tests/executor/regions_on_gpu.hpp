// The walk of regions with what it owns claimed and checked, for tests on a GPU.
#pragma once

#include "lockstep/executor/frontier/run.hpp"

namespace lockstep::test {

struct RegionTrial {
    double window;
    std::uint32_t rounds, most_workers;
};
/// Levels, or distances in whole numbers or floats, from each of `repeats` runs. Throws Error where a region
/// or a word had two owners, or the walk did not end.
template <class Op>
std::vector<frontier::Values> walk_regions(const frontier::RegionLayout& layout, VertexId source,
                                           const RegionTrial& trial, int repeats);

}  // namespace lockstep::test
