// The fast path of the tokenizer, for the usual lines of delimited text, such as "12 345 3.5". It parses
// numbers while it searches for the ends of their fields. If a line contains anything else (names, signs of
// IDs, quotes, comments, errors), it rejects the line, and split_record() and words.hpp parse it. For the
// lines that it accepts, the result is exactly that of the general path.
#pragma once

#include <string_view>

#include "columns.hpp"

namespace lockstep::readers {

/// Reads the integer at `at`, and moves `at` past it. The integer must have the usual notation of an ID and
/// at most 18 digits; otherwise returns false. May read up to 8 bytes after the number.
bool scan_integer(const char*& at, std::int64_t& value);

/// Reads the decimal number at `at`, such as "3" or "-2.25", with the same result as std::from_chars. Returns
/// false if there is no number, or if the result is uncertain, because the number has more than 15 digits or
/// is too close to the midpoint between two floats.
bool scan_decimal(const char*& at, float& value);

class EdgeScanner {
public:
    struct Edge {
        std::int64_t row, col;
        float value;
        std::int64_t time;  ///< time of the edge, if there is a time column
    };
    /// Constructs a parser for lines with these columns. `delimiter` is empty if fields are separated by any
    /// number of blanks. `least` is the minimum weight.
    EdgeScanner(const Columns& columns, std::string_view delimiter, float least);

    /// Parses the first line of `text`, which must be followed by a NUL byte. Returns the size of the line in
    /// bytes, including its line end, or 0 if the general path must read the line.
    std::size_t scan(std::string_view text, Edge& edge) const;

private:
    bool scan_delimiter(const char*& at) const;
    bool skip_field(const char*& at) const;

    std::string delimiter_;
    std::size_t count_;
    bool usable_;
    float least_;                            // minimum weight
    std::array<Role, max_columns> roles_{};  // Role::unknown: the field is skipped
};

}  // namespace lockstep::readers
