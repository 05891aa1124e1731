// The orders in which first fit assigns rows to phases.
#pragma once

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/rows.hpp"

namespace lockstep {

/// Returns the rows, those with the most conflicts first. A row s counts once for each column that causes a
/// conflict with s. Rows with equally many conflicts are in ascending order. O(entries) on all threads.
Array<EdgeId> largest_first(const RowPattern& pattern);

/// Returns the reverse of an order in which rows are removed from the pattern. If rows write all columns, the
/// column with the fewest remaining rows is chosen repeatedly, and its rows are removed. If they write only
/// their own columns, the row with the fewest conflicts with remaining rows is removed (Matula and Beck
/// 1983). The choice of columns takes time O(entries), and that of rows would take the sum of the squared
/// degrees of the columns. O(entries) on one thread; 8 bytes per entry, 16 bytes per row and 16 bytes per
/// column.
Array<EdgeId> smallest_last(const RowPattern& pattern);

}  // namespace lockstep
