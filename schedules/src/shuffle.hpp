// Orders of edges and vertices that several builders use.
#pragma once

#include <vector>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// Random permutation by Philox, the same for a seed on every machine and for any number of threads.
/// O(n); 10 bytes an entry.
void shuffle(Array<EdgeId>& order, std::uint64_t seed);

/// Likewise the entries offsets[g] … offsets[g + 1] - 1 of every group g among themselves, which are fewer
/// than 2^32. O(n), in place.
void shuffle_groups(Array<EdgeId>& order, const std::vector<EdgeId>& offsets, std::uint64_t seed);

/// Vertices by decreasing degree, equal degrees by id. O(n + largest degree).
std::vector<VertexId> by_decreasing_degree(const std::vector<EdgeId>& degree);

}  // namespace lockstep
