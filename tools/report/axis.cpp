#include "axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "number.hpp"
#include "table.hpp"

namespace lockstep::report {

double Axis::place(double value) const {
    if (logarithmic) return std::log(value / low) / std::log(high / low);
    return (value - low) / (high - low);
}

Axis linear_axis(double low, double high, int ticks, double factor, const std::string& unit) {
    if (!(high > low)) high = low + (low == 0 ? factor : std::abs(low) * 0.1);
    const double rough = (high - low) / ticks;
    const double power = std::pow(10, std::floor(std::log10(rough / factor))) * factor;
    double step = 10 * power;
    for (double round : {5.0, 2.0, 1.0}) {
        if (round * power >= rough) step = round * power;
    }
    const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step / factor * (1 + 1e-9)))));
    Axis axis;
    const double first = std::floor(low / step * (1 + 1e-12)), last = std::ceil(high / step * (1 - 1e-12));
    axis.low = first * step;
    axis.high = last * step;
    for (double i = first; i <= last; ++i) {
        axis.ticks.push_back(
            {i * step, group_digits(i * step / factor, decimals) + (unit.empty() ? "" : " " + unit)});
    }
    return axis;
}

Axis log_axis(double low, double high, const std::function<std::string(double)>& text) {
    Axis axis{low, high, true, {}};
    const double decades = std::log10(high / low);
    const double stride = std::max(1.0, std::ceil(decades / 6));
    for (double power = std::floor(std::log10(low)); power <= std::log10(high); power += stride) {
        for (double round : {1.0, 2.0, 5.0}) {
            const double value = round * std::pow(10, power);
            if (round > 1 && decades > 2) break;
            if (value < low || value > high) continue;
            axis.ticks.push_back({value, text(value)});
        }
    }
    return axis;
}

Axis log_time_axis(double low, double high) {
    return log_axis(low, high, [](double value) {
        const Scale scale = seconds_scale({value * (1 + 1e-9)});
        return fmt::format("{:g} {}", value / scale.factor, scale.unit);
    });
}

double bar_limit(std::vector<double> lengths) {
    if (lengths.empty()) return 1;
    const double longest = *std::max_element(lengths.begin(), lengths.end());
    const double limit = std::min(longest, 4 * median(std::move(lengths)));
    return limit > 0 ? limit : 1;
}

}  // namespace lockstep::report
