// The usual line of delimited text, "12 345 3.5", scanned in one go. What it does not take (names,
// signs, quotes, comments, faults) is left to the general way, which decides; what it takes, it takes
// exactly as the general way would.
#pragma once

#include <string_view>

#include "columns.hpp"

namespace lockstep::readers {

/// The number whose digits stand at `at`, in the canonical form of an id; moves `at` behind it.
/// False where there is none of up to 18 digits. Reads up to 8 bytes ahead of what it takes.
bool scan_integer(const char*& at, std::int64_t& value);

/// A decimal number ("3", "-2.25"), equal to what std::from_chars makes of it. False where there is
/// none, or one whose value is not clear at once.
bool scan_decimal(const char*& at, float& value);

class FastLine {
public:
    struct Edge {
        std::int64_t row, col;
        float value;
        std::int64_t time;  ///< where a column has it
    };
    /// For lines of such columns; `delimiter` is empty for runs of blanks.
    FastLine(const Columns& columns, std::string_view delimiter, float least);

    /// Scans the first line of `text`, behind which a NUL stands; gives the bytes of the line with its
    /// end, or 0 for a line to be left to the general way.
    std::size_t scan(std::string_view text, Edge& edge) const;

private:
    enum class Role : unsigned char { row, col, value, time, skipped };
    bool scan_delimiter(const char*& at) const;
    bool skip_field(const char*& at) const;

    std::string delimiter_;
    std::size_t count_;
    bool usable_;
    float least_;  // of weights
    std::array<Role, 32> roles_{};
};

}  // namespace lockstep::readers
