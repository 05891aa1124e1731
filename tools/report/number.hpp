// Formatting of numbers for people.
#pragma once

#include <string>
#include <vector>

namespace lockstep::report {

/// Text that replaces an unknown number.
inline constexpr const char* dash = "–";

/// Formats a number with three significant digits: "0.0123", "1.23", "123", "1,230".
std::string significant(double value);
/// Formats a duration with three significant digits and a unit: "12.3 ms", "1.23 s"; "0 s".
std::string duration(double seconds);
/// Formats a number with thousands separators and fixed decimals: "1,234.50".
std::string group_digits(double value, int decimals);
/// Formats a break-even: "3 sweeps", "at once", "never".
std::string break_even_text(double sweeps);

/// A common unit and number of decimals for numbers that are shown together.
struct Scale {
    std::string unit;
    double factor = 1;
    int decimals = 0;
    std::string operator()(double value) const;
};
/// Returns a scale for durations in seconds: the unit fits the largest, the decimals fit the smallest.
Scale seconds_scale(const std::vector<double>& seconds);
/// Returns a scale for rates per second: "M" for millions, …
Scale rate_scale(const std::vector<double>& rates);

}  // namespace lockstep::report
