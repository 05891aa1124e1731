// Phases of rows: the rows of a sparse pattern are divided such that no two rows of a phase conflict. A row
// is an update, and its columns are the vertices that the update uses: the corners of a tetrahedron, the
// unknowns of an equation, or a vertex with its neighbours.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/schedules/batches.hpp"

namespace lockstep {

/// A sparse pattern in compressed rows, as a view of arrays that the caller owns. A row may contain a column
/// repeatedly.
struct RowPattern {
    /// The entries that a row writes. All other entries are only read.
    enum Writes : std::uint8_t {
        all,  ///< row r writes all its columns: two rows conflict if they share a column
        /// Row r writes column r, whether the row contains it or not: rows r and s conflict if r contains
        /// column s, or s contains column r. The pattern is square.
        own,
    };
    std::span<const EdgeId> offsets;    ///< {rows + 1} offsets of the rows in `columns`
    std::span<const VertexId> columns;  ///< columns of all rows, each less than column_count
    EdgeId column_count = 0;
    /// {column_count} flags, or empty: columns that nobody writes are nonzero, and cause no conflict.
    std::span<const std::uint8_t> fixed = {};
    Writes writes = all;

    EdgeId rows() const { return offsets.empty() ? 0 : offsets.size() - 1; }
    std::span<const VertexId> row(EdgeId r) const {
        return columns.subspan(offsets[r], offsets[r + 1] - offsets[r]);
    }
    bool is_fixed(VertexId column) const { return !fixed.empty() && fixed[column]; }
};

/// The order in which first fit assigns rows to phases.
enum class RowOrder {
    given,    ///< row index, ascending
    largest,  ///< rows with the most conflicts first
    /// The reverse of an order in which rows with few remaining conflicts are removed first. Usually gives
    /// the fewest phases.
    smallest,
};

/// Returns the name of the order in options and files: "given", "largest" or "smallest".
std::string_view to_string(RowOrder order);

struct RowOptions {
    RowOrder order = RowOrder::given;
    bool even = false;  ///< whether rows are moved between the phases until their sizes are about equal
};

/// Phases of rows. Phase p contains the rows order[offsets[p]] … order[offsets[p + 1] - 1], in ascending
/// order.
struct RowBatches : Batches {
    /// A lower bound of the number of phases: the maximum number of rows that share a column which is not
    /// fixed. If rows write only their own columns, 2 if any two rows conflict.
    EdgeId bound = 0;
};

/// Throws Error (bad input) if offsets, columns or flags are inconsistent. The message names the entry.
/// O(entries) on all threads.
void validate(const RowPattern& pattern);

/// Returns the phases of first fit: in the chosen order, each row gets the smallest phase that contains no
/// row which conflicts with it. For RowOrder::smallest, first fit runs a second time, with the rows of the
/// last phase first, which adds no phase. The result is that of these serial loops, for any number of
/// threads. First fit itself runs on one thread, since most rows depend on the row before; sorting and
/// grouping run on all threads. The pattern must be valid. O(entries x (phases / 64 + 1)) time; 8 bytes per
/// row, and 8 or 16 bytes per column.
RowBatches build_row_batches(const RowPattern& pattern, const RowOptions& options = {});

/// Returns a description of the first error in `batches`: a row that does not occur exactly once, or two rows
/// of a phase that conflict, with their column. Returns an empty string if there is no error. Shares no code
/// with build_row_batches(). O(entries) on all threads; 5 bytes per row, 16 bytes per column and thread.
std::string verify_rows(const RowPattern& pattern, const Batches& batches);

/// The arrays of a square pattern with one row per vertex of a graph.
struct Neighbourhoods {
    std::vector<EdgeId> offsets{0};
    Array<VertexId> columns = {};
    RowPattern view(RowPattern::Writes writes) const {
        return {.offsets = offsets, .columns = columns, .column_count = offsets.size() - 1, .writes = writes};
    }
};

/// Returns the pattern in which row u contains v for each edge (u, v). The endpoints of edge e are ends[2 e]
/// and ends[2 e + 1]. With RowPattern::own, the phases of this pattern are a colouring of the graph: the
/// endpoints of an edge have different colours. Throws Error (bad input) if an endpoint is not less than
/// `vertices`. O(edges).
Neighbourhoods neighbours_of(std::span<const VertexId> ends, EdgeId vertices);

/// Returns the pattern in which the row of a vertex contains the vertex and its neighbours, in ascending
/// order, if `graph` contains an edge in at least one direction. With RowPattern::all, the phases of this
/// pattern are a distance-2 colouring: vertices with a common neighbour have different colours, too.
/// O(entries log entries).
Neighbourhoods closed_neighbourhoods(const RowPattern& graph);

}  // namespace lockstep
