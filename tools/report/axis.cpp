#include "axis.hpp"

#include <algorithm>
#include <cmath>

#include "table.hpp"

namespace lockstep::report {

double Axis::place(double value) const {
    if (logarithmic) return std::log(value / low) / std::log(high / low);
    return (value - low) / (high - low);
}

Axis linear_axis(double low, double high, int ticks, const NumberText& text) {
    if (!(high > low)) high = low + (low == 0 ? 1 : std::abs(low) * 0.1);
    const double rough = (high - low) / ticks;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (double round : {5.0, 2.5, 2.0, 1.0}) {
        if (round * power >= rough) step = round * power;
    }
    Axis axis;
    const double first = std::floor(low / step * (1 + 1e-12)), last = std::ceil(high / step * (1 - 1e-12));
    axis.low = first * step;
    axis.high = last * step;
    for (double i = first; i <= last; ++i) axis.ticks.push_back({i * step, text(i * step)});
    return axis;
}

Axis log_axis(double low, double high, const NumberText& text) {
    Axis axis{low, high, true, {}};
    const double decades = std::log10(high / low);
    const double stride = std::max(1.0, std::ceil(decades / 6));
    for (double power = std::floor(std::log10(low)); power <= std::log10(high); power += stride) {
        for (double round : {1.0, 2.0, 5.0}) {
            const double value = round * std::pow(10, power);
            if (round > 1 && decades > 2) break;
            if (value >= low && value <= high) axis.ticks.push_back({value, text(value)});
        }
    }
    return axis;
}

double bar_limit(std::vector<double> lengths) {
    if (lengths.empty()) return 1;
    const double longest = *std::max_element(lengths.begin(), lengths.end());
    const double limit = std::min(longest, 4 * median(std::move(lengths)));
    return limit > 0 ? limit : 1;
}

}  // namespace lockstep::report
