// Fast path for the usual line of delimited text, such as "12 345 3.5". It rejects everything else (names,
// signs of ids, quotes, comments, errors), which the general parser then handles. For accepted lines, it
// gives exactly the result of the general parser.
#pragma once

#include <string_view>

#include "columns.hpp"

namespace lockstep::readers {

/// Reads the number at `at`, in the canonical form of an id with up to 18 digits, and moves `at` behind it.
/// Returns false if there is no such number. May read up to 8 bytes beyond the number.
bool scan_integer(const char*& at, std::int64_t& value);

/// Reads a decimal number ("3", "-2.25") and gives the same value as std::from_chars. Returns false if there
/// is no number, or if the value is uncertain (more than 15 digits, or too close to the midpoint between two
/// floats).
bool scan_decimal(const char*& at, float& value);

class FastLine {
public:
    struct Edge {
        std::int64_t row, col;
        float value;
        std::int64_t time;  ///< time of the edge, if there is a time column
    };
    /// Prepares scanning of lines with these columns. `delimiter` is empty for runs of blanks.
    FastLine(const Columns& columns, std::string_view delimiter, float least);

    /// Scans the first line of `text`, which must be followed by a NUL. Returns the size of the line in bytes
    /// with its line end, or 0 if the general parser must read the line.
    std::size_t scan(std::string_view text, Edge& edge) const;

private:
    enum class Role : unsigned char { row, col, value, time, skipped };
    bool scan_delimiter(const char*& at) const;
    bool skip_field(const char*& at) const;

    std::string delimiter_;
    std::size_t count_;
    bool usable_;
    float least_;  // minimum weight
    std::array<Role, 32> roles_{};
};

}  // namespace lockstep::readers
