// Orders of edges and vertices that several builders use.
#pragma once

#include <vector>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// Fisher-Yates shuffle driven by Philox: the same permutation for a seed on every machine. O(n).
void shuffle(std::vector<EdgeId>& order, std::uint64_t seed);

/// Vertices by decreasing degree, equal degrees by id. O(n + largest degree).
std::vector<VertexId> by_decreasing_degree(const std::vector<EdgeId>& degree);

}  // namespace lockstep
