// Numbers as a person reads them.
#pragma once

#include <string>
#include <vector>

namespace lockstep::report {

/// What stands for a number that is not known.
inline constexpr const char* dash = "–";

/// Three significant digits: "0.0123", "1.23", "123", "1,230".
std::string significant(double value);
/// Three significant digits with a unit: "12.3 ms", "1.23 s"; "0 s".
std::string duration(double seconds);
/// With thousands separators and fixed decimals: "1,234.50".
std::string grouped(double value, int decimals);
/// "3 sweeps", "at once", "never".
std::string break_even_text(double sweeps);

/// One unit and one number of decimals for numbers that stand together.
struct Scale {
    std::string unit;
    double factor = 1;
    int decimals = 0;
    std::string operator()(double value) const;
};
/// Scale for durations in seconds: the unit fits the largest, the decimals the smallest.
Scale seconds_scale(const std::vector<double>& seconds);
/// Scale for rates per second: "M" for millions, …
Scale rate_scale(const std::vector<double>& rates);

}  // namespace lockstep::report
