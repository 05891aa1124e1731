// A numeric axis of a picture: its range, scale and ticks.
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

    /// Returns the relative position of a value: 0 at `low`, 1 at `high`.
    double place(double value) const;
};

/// Returns an axis with about `ticks` ticks at round values that covers [low, high]; labels are in units of
/// `factor`.
Axis linear_axis(double low, double high, int ticks, double factor = 1, const std::string& unit = {});
/// Returns an axis with ticks at powers of ten inside [low, high], 0 < low: not at every power if there are
/// more than six decades, and also at 2 and 5 times each power if there are at most two. `text` formats the
/// labels.
Axis log_axis(double low, double high, const std::function<std::string(double)>& text);
/// Returns a logarithmic axis in seconds.
Axis log_time_axis(double low, double high);

/// Returns a maximum length for bars: a few much longer bars are cut there, so that the others can be
/// compared.
double bar_limit(std::vector<double> lengths);

}  // namespace lockstep::report
