// Assignment of the columns of a delimited text file to row, column, value and time: by the user's choice, by
// the names in the header, or by position.
#pragma once

#include <optional>

#include "readers.hpp"
#include "text.hpp"

namespace lockstep::readers {

/// The layout of the columns that a format prescribes. Other properties depend on the file and on the user's
/// options.
struct Dialect {
    const char* expected;  ///< description of a line for messages, such as "user item rating timestamp"
    std::string_view delimiter = {};  ///< if empty, it is detected from the first record
    std::size_t columns = 0;          ///< required number of columns; 0: as many as in the first line
    /// Whether the first line is a header; if not set, this is detected.
    std::optional<bool> header = {};
    bool ratings = false;  ///< whether the graph is bipartite and column 3 is a rating
};

/// The roles of the columns. Indices count from 0.
struct Columns {
    bool header = false;  ///< whether the first line contains names instead of an edge
    std::size_t count = 0;
    std::size_t row = 0, col = 1;
    std::optional<std::size_t> value = {}, time = {};
    std::string note = {};  ///< message that names the columns that were found by their names in the header
};

/// Chooses the columns from the first line that is not a comment, already split into `first`. Throws
/// FormatError with the number of this line if the choice is ambiguous.
Columns choose_columns(const Lines& lines, const Fields& first, const ReadOptions& options,
                       const Dialect& dialect);

/// Returns whether the words of a line are a header with known names for rows and columns.
bool is_known_header(const Fields& fields);

}  // namespace lockstep::readers
