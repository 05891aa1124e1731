// Runs the walk of regions on a GPU, and checks that each region and each word has one owner.
#pragma once

#include "lockstep/executor/frontier/run.hpp"

namespace lockstep::test {

struct RegionTrial {
    double window;
    std::uint32_t rounds, max_workers;
};
/// Returns the levels, or the distances in whole numbers or floats, of each of `repeats` runs. Throws Error
/// if a region or a word has two owners, or the walk does not end.
template <class Op>
std::vector<frontier::Values> walk_regions(const frontier::RegionLayout& layout, VertexId source,
                                           const RegionTrial& trial, int repeats);

}  // namespace lockstep::test
