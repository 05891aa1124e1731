// First-fit edge colouring: each edge gets the smallest colour that no other edge at its two endpoints has.
//
// The edges of one colour form a matching. One pass gives the same matchings as Algorithm 1 (Kaleem et al.,
// III-A), which repeatedly removes a maximal matching, if both visit the edges in the same order: an edge
// gets colour c if each of the matchings before c already contains one of its endpoints.
//
// The edges are stored in runs; a run contains the edges of one row in ascending order of their columns. The
// result does not change if rows and columns are exchanged, so callers pass the side of smaller degrees as
// rows. The colours taken at the current row are a bit set, which stays in the L1 cache. The colours taken at
// every column are stored in one of two ways:
// - one mask of 16 or 64 bits per column, if all colours fit (road networks);
// - otherwise one record of 32 bytes per column (taken_colours.hpp). It contains the word of the bit set with
//   the first free colour, which suffices for most edges. The following 8 x degree bits and a list of larger
//   colours, which occur at hubs, are stored separately.
//
// Threads form a pipeline: each thread owns a range of columns, and processes a row as soon as the thread of
// the preceding columns has finished this row. Each edge therefore finds the same colours taken as in a
// serial pass, and the result is the same for any number of threads.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "lockstep/schedules/builders.hpp"

namespace lockstep {

/// Returns the first-fit colours of the edges. The r-th run has the edges col[runs[r]] … col[runs[r + 1] -
/// 1], where `col` contains the column of each edge. A row may have several runs, which are then coloured
/// like different rows. `degrees()` must return for every column at least the number of its edges; it is
/// called only if masks do not suffice. O(edges + words scanned) time. 4 bytes per edge for the result, and
/// another 5 bytes per edge and 32 per column. Throws Error if 2^32 colours could be necessary.
Matchings first_fit(std::span<const EdgeId> runs, std::span<const VertexId> col, VertexId cols,
                    const std::function<std::vector<EdgeId>()>& degrees);

}  // namespace lockstep
