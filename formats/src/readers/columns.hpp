// Which column of a delimited text file is what: by the user's choice, by header names, by position.
#pragma once

#include <optional>

#include "readers.hpp"
#include "text.hpp"

namespace lockstep::readers {

/// What a format fixes about its columns; the rest is left to the file and the user.
struct Dialect {
    const char* expected;             ///< for messages: "user item rating timestamp"
    std::string_view delimiter = {};  ///< empty: by content
    std::size_t columns = 0;          ///< exact number of columns; 0 = as the first line
    std::optional<bool> header = {};
    bool ratings = false;  ///< bipartite, with the rating in column 3
};

/// Column numbers from 0.
struct Columns {
    bool header = false;  ///< the first line holds names
    std::size_t count = 0;
    std::size_t row = 0, col = 1;
    std::optional<std::size_t> value = {}, time = {};
    std::string note = {};  ///< which columns of a header were taken
};

/// Decides from the first line that is no comment; fails at it where the choice is not clear.
Columns choose_columns(const Lines& lines, const Fields& first, const ReadOptions& options,
                       const Dialect& dialect);

/// Whether a line of words is a header with known names for rows and columns.
bool is_known_header(const Fields& fields);

}  // namespace lockstep::readers
