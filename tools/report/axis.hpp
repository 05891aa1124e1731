// A numeric axis of a picture: its range, its scale, its ticks.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace lockstep::report {

struct Axis {
    double low = 0, high = 1;
    bool logarithmic = false;
    struct Tick {
        double value;
        std::string text;
    };
    std::vector<Tick> ticks;

    /// Where a value lies: 0 at `low`, 1 at `high`.
    double place(double value) const;
};

/// Round steps, about `ticks` of them, that cover [low, high]; written in units of `factor`.
Axis linear_axis(double low, double high, int ticks, double factor = 1, const std::string& unit = {});
/// Powers of ten (and 2, 5 where there are few) inside [low, high], 0 < low, each written by `text`.
Axis log_axis(double low, double high, const std::function<std::string(double)>& text);
/// The same in seconds.
Axis log_time_axis(double low, double high);

/// An end for bars that leaves a few far larger ones cut, so that the others can be compared.
double bar_limit(std::vector<double> lengths);

}  // namespace lockstep::report
