// First-fit edge colouring: each edge takes the smallest colour that is free at both its ends.
//
// One pass yields exactly the iterated maximal matchings of Algorithm 1 for the same edge order: an
// edge gets colour c when every earlier matching already held one of its endpoints.
#pragma once

#include <span>
#include <vector>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// Colours the edges (row[i], col[i]), col[i] < cols, in the order given; the edges of one row must be
/// consecutive. Any order that is sorted by row and by column inside a row gives the same colouring as
/// the one sorted by column, so callers hand over the side of the smaller degrees as `row`.
/// Time O(edges + words scanned): the scan starts at each column's first free word. Memory: 40 bytes a
/// column, 4 bytes an edge, and one bit a colour and column.
std::vector<VertexId> first_fit(std::span<const VertexId> row, std::span<const VertexId> col, VertexId cols);

}  // namespace lockstep
