// First-fit edge colouring: each edge takes the smallest colour that is free at both its ends.
//
// One pass yields exactly the iterated maximal matchings of Algorithm 1 (Kaleem et al., III-A) for the
// same edge order: an edge gets colour c when every earlier matching already held one of its endpoints.
//
// The edges come in runs, a run being the edges of one row in ascending order of their columns; any
// order that is sorted by row and by column inside a row gives the same colouring as the one sorted by
// column, so callers hand over the side of the smaller degrees as rows. What is taken at the current row
// is a bit set that stays in the first-level cache. What is taken at a column is, by degree,
//   one mask of 16 or 64 bits, where the degrees are so low that no colour lies beyond it (roads);
//   a record of 32 bytes with the word of the first free colour, which is all that most edges look at,
//   backed by a dense set of 8 x degree bits and, for colours that hubs push beyond it, a list.
//
// Threads form a pipeline: each owns a range of columns and takes on a row when the thread before has
// left it. An edge thus sees what it would see in serial order: the colouring is the same for any number
// of threads.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "lockstep/schedules/builders.hpp"

namespace lockstep {

/// The colours of the edges, the r-th row having col[runs[r]] … col[runs[r + 1] - 1] as edges. Rows that
/// occur in several runs are different rows. `degrees()` returns for every column at least the number of
/// its edges; it is asked where masks do not suffice. Time O(edges + words scanned); memory 4 bytes an
/// edge for the result, 5 bytes an edge and 32 a column beside it. Throws Error if 2^32 colours could be
/// needed.
Matchings first_fit(std::span<const EdgeId> runs, std::span<const VertexId> col, VertexId cols,
                    const std::function<std::vector<EdgeId>()>& degrees);

}  // namespace lockstep
