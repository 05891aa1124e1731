// First-fit edge colouring: each edge gets the smallest colour that is free at both of its endpoints.
//
// One pass yields exactly the iterated maximal matchings of Algorithm 1 (Kaleem et al., III-A) for the same
// edge order: an edge gets colour c if each of the matchings before c already contains one of its endpoints.
//
// The edges form runs; a run contains the edges of one row in ascending order of their columns. Any order
// that is sorted by row, and by column within a row, gives the same colouring as the one sorted by column.
// Callers therefore pass the side of the smaller degrees as rows. The colours taken at the current row are a
// bit set that stays in the L1 cache. The colours taken at a column are stored, depending on the degrees, in
//   one mask of 16 or 64 bits, if the degrees are so low that every colour fits (roads);
//   a record of 32 bytes with the word of the first free colour, which suffices for most edges, backed by
//   a dense set of 8 x degree bits and by a list of the larger colours, which hubs cause.
//
// Threads form a pipeline: each thread owns a range of columns, and processes a row when the previous thread
// has finished it. An edge thus finds the same colours taken as in serial order, and the colouring is the
// same for any number of threads.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "lockstep/schedules/builders.hpp"

namespace lockstep {

/// Returns the colours of the edges. The r-th row has the edges col[runs[r]] … col[runs[r + 1] - 1]; a row
/// that occurs in several runs counts as several rows. `degrees()` returns, for every column, at least the
/// number of its edges; it is called only if masks do not suffice. Time O(edges + words scanned). Memory: 4
/// bytes per edge for the result, and in addition 5 bytes per edge and 32 per column. Throws Error if 2^32
/// colours could be necessary.
Matchings first_fit(std::span<const EdgeId> runs, std::span<const VertexId> col, VertexId cols,
                    const std::function<std::vector<EdgeId>()>& degrees);

}  // namespace lockstep
