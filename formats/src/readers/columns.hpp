// The layout of a delimited text file: its delimiter, and the assignment of its columns to row, column, value
// and time by the user's choice, by the names in the header, or by position.
#pragma once

#include <array>

#include "readers.hpp"
#include "words.hpp"

namespace lockstep::readers {

/// Maximum number of columns of a file.
constexpr std::size_t max_columns = 32;

/// Returns the delimiter of the first record: tab, comma, semicolon or "::", or an empty string if fields are
/// separated by any number of blanks. If several of these occur, returns the one with the most fields,
/// provided that the others are certainly no delimiters. Otherwise throws FormatError with the number of this
/// line.
std::string delimiter_of(const Lines& lines, std::string_view record);

/// The role that the name of a column in a header gives to it. `index` is a row number.
enum class Role { unknown, row, col, value, time, index };

/// The roles of the columns of a header. A column whose name is not recognised has the role `unknown`.
class HeaderNames {
public:
    HeaderNames() = default;
    explicit HeaderNames(const Fields& names);

    Role role(std::size_t column) const { return roles_[column]; }
    bool has(Role role) const { return count(role, false) > 0; }
    /// Returns whether the complete name of some column stands for this role, not only a part of its name.
    bool has_whole(Role role) const { return count(role, true) > 0; }
    /// Returns whether several columns may have the role: either several complete names stand for it, or no
    /// complete name does and several names contain such a part.
    bool is_ambiguous(Role role) const {
        return count(role, true) > 1 || (count(role, true) == 0 && count(role, false) > 1);
    }
    /// Returns the index of the column with this role, unless no column has it or it is ambiguous.
    std::optional<std::size_t> find(Role role) const;

private:
    std::size_t count(Role role, bool exact) const;

    std::array<Role, max_columns> roles_{};
    std::array<bool, max_columns> exact_{};
};

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
