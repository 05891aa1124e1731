// Random orders of edges and the order of vertices by degree, which several builders use.
#pragma once

#include <vector>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// Shuffles `order` with Philox random numbers. The permutation depends only on the seed and the size, not on
/// the machine or the number of threads. O(n) time; 10 bytes per entry.
void shuffle(Array<EdgeId>& order, std::uint64_t seed);

/// Shuffles the entries within each group separately. Group g has the entries offsets[g] … offsets[g + 1] -
/// 1, fewer than 2^32. O(n) time, in place.
void shuffle_groups(Array<EdgeId>& order, const std::vector<EdgeId>& offsets, std::uint64_t seed);

/// Returns the vertices by decreasing degree; vertices of equal degree keep the order of their IDs. O(n +
/// maximum degree).
std::vector<VertexId> by_decreasing_degree(const std::vector<EdgeId>& degree);

}  // namespace lockstep
