// Assignment of the columns of a delimited text file: by the user's choice, by header names, or by position.
#pragma once

#include <optional>

#include "readers.hpp"
#include "text.hpp"

namespace lockstep::readers {

/// Properties of the columns that a format prescribes. Everything else depends on the file and the user.
struct Dialect {
    const char* expected;             ///< description for messages: "user item rating timestamp"
    std::string_view delimiter = {};  ///< empty: detected by content
    std::size_t columns = 0;          ///< exact number of columns; 0: as many as in the first line
    std::optional<bool> header = {};
    bool ratings = false;  ///< the graph is bipartite, and column 3 is the rating
};

/// Indices of the columns, counted from 0.
struct Columns {
    bool header = false;  ///< true: the first line contains names
    std::size_t count = 0;
    std::size_t row = 0, col = 1;
    std::optional<std::size_t> value = {}, time = {};
    std::string note = {};  ///< columns that were chosen by header name
};

/// Chooses the columns from the first line that is not a comment. Fails at this line if the choice is
/// ambiguous.
Columns choose_columns(const Lines& lines, const Fields& first, const ReadOptions& options,
                       const Dialect& dialect);

/// Returns true if a line of words is a header with known names for rows and columns.
bool is_known_header(const Fields& fields);

}  // namespace lockstep::readers
