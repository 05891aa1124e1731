#include "number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::report {
namespace {

struct Unit {
    const char* name;
    double factor;
};

/// Returns the number of decimals with which `value` has three significant digits.
int decimals_of(double value) {
    return value == 0 ? 0 : std::clamp(2 - static_cast<int>(std::floor(std::log10(std::abs(value)))), 0, 9);
}

template <std::size_t N>
const Unit& unit_for(double value, const Unit (&units)[N]) {
    std::size_t i = 0;
    while (i + 1 < N && value < units[i].factor) ++i;
    return units[i];
}

/// Returns a scale whose decimals give the smallest number two significant digits, with at most `most`
/// decimals.
template <std::size_t N>
Scale scale(const std::vector<double>& values, const Unit (&units)[N], int most) {
    double largest = 0, smallest = INFINITY;
    for (double value : values) {
        if (!(value > 0) || std::isinf(value)) continue;
        largest = std::max(largest, value);
        smallest = std::min(smallest, value);
    }
    const Unit& unit = unit_for(largest, units);
    const int decimals =
        std::isinf(smallest) ? 0 : std::clamp(decimals_of(smallest / unit.factor) - 1, 1, most);
    return {unit.name, unit.factor, decimals};
}

constexpr Unit times[] = {{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}};
constexpr Unit powers[] = {{"G", 1e9}, {"M", 1e6}, {"k", 1e3}, {"", 1}};

}  // namespace

std::string significant(double value) {
    if (std::isnan(value)) return dash;
    const int decimals = decimals_of(value);
    return group_digits(value, decimals);
}

std::string duration(double seconds) {
    if (std::isnan(seconds)) return dash;
    if (seconds == 0) return "0 s";
    const Unit& unit = unit_for(seconds, times);
    return significant(seconds / unit.factor) + ' ' + unit.name;
}

std::string group_digits(double value, int decimals) {
    std::string text = fmt::format("{:.{}f}", value, decimals);
    const auto point = std::min(text.find('.'), text.size());
    const std::size_t first = text[0] == '-' ? 1 : 0;
    for (std::size_t i = point; i > first + 3; i -= 3) text.insert(i - 3, ",");
    return text;
}

std::string break_even_text(double sweeps) {
    if (std::isinf(sweeps)) return "never";
    if (sweeps == 0) return "immediately";
    return group_digits(sweeps, 0) + (sweeps == 1 ? " sweep" : " sweeps");
}

std::string Scale::operator()(double value) const {
    if (std::isnan(value)) return dash;
    if (value == 0) return "0";
    const double smallest = std::pow(10, -decimals);
    if (value > 0 && value / factor < smallest / 2) return "<" + group_digits(smallest, decimals);
    return group_digits(value / factor, decimals);
}

Scale seconds_scale(const std::vector<double>& seconds) { return scale(seconds, times, 3); }
Scale rate_scale(const std::vector<double>& rates) { return scale(rates, powers, 2); }

}  // namespace lockstep::report
