// Orders of edges and vertices that several builders use.
#pragma once

#include <vector>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// Shuffles `order` with Philox random numbers. The permutation is the same for a seed on every machine and
/// for any number of threads. O(n); 10 bytes per entry.
void shuffle(Array<EdgeId>& order, std::uint64_t seed);

/// Shuffles the entries offsets[g] … offsets[g + 1] - 1 of every group g among themselves. A group has fewer
/// than 2^32 entries. O(n), in place.
void shuffle_groups(Array<EdgeId>& order, const std::vector<EdgeId>& offsets, std::uint64_t seed);

/// Returns the vertices by decreasing degree, equal degrees by ID. O(n + maximum degree).
std::vector<VertexId> by_decreasing_degree(const std::vector<EdgeId>& degree);

}  // namespace lockstep
