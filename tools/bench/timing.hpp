// Median of repeated timings.
#pragma once

#include <algorithm>
#include <vector>

#include "cli.hpp"

namespace lockstep::bench {

/// Returns the median of the times that `work` takes, in seconds.
template <class F>
double median_seconds(int repeats, F&& work) {
    std::vector<double> seconds;
    for (int i = 0; i < repeats; ++i) {
        cli::check_signal();
        const cli::Stopwatch watch;
        work();
        seconds.push_back(watch.seconds());
    }
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
}

}  // namespace lockstep::bench
