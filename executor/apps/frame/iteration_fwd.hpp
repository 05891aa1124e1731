// Compares the values of an application along arcs with those of its reference, in double precision.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace lockstep {

struct ArcCheck {
    double distance = 0;  ///< L1 distance, relative to the sum of the reference
    double worst = 0;     ///< maximum relative error of one vertex
    double sum = 0;       ///< sum of the values
    double allowed = 0;   ///< additional `distance` that is allowed for rounding
    std::string problem;  ///< description of the error; empty: the values are good
};
/// Compares `values` with `expected`, both by vertex. They are good if the relative L1 distance is at most
/// 1e-6 and the relative error of each value is at most 1e-5; errors of at most 1e-12 of the reference's sum
/// are ignored. `value` is the word for a value in messages. `rounding` is the additional absolute error that
/// is allowed per vertex; empty: none. O(vertices), serial.
inline ArcCheck check_values(const std::vector<float>& values, const std::vector<double>& expected,
                             const char* value, const std::vector<double>& rounding = {}) {
    constexpr double most_distance = 1e-6, most_error = 1e-5, least = 1e-12;
    ArcCheck check;
    if (values.size() != expected.size()) {
        check.problem =
            fmt::format("there are {} {}s for {} vertices", values.size(), value, expected.size());
        return check;
    }
    const double whole = std::accumulate(expected.begin(), expected.end(), 0.0);
    const double allowed = std::accumulate(rounding.begin(), rounding.end(), 0.0);
    double most = 0;  // maximum relative error of the wrong values
    std::size_t wrong = values.size();
    for (std::size_t v = 0; v < values.size(); ++v) {
        const double given{values[v]}, distance = std::fabs(given - expected[v]);
        check.sum += given;
        check.distance += distance;
        const double error = distance <= least * whole ? 0 : distance / expected[v];
        // The negated comparison makes NaN the worst error.
        if (!(error <= check.worst)) check.worst = error;
        const double rounded = rounding.empty() ? 0 : rounding[v] / expected[v];
        if (!(error <= most_error + rounded) && !(error <= most)) most = error, wrong = v;
    }
    if (whole > 0) check.distance /= whole, check.allowed = allowed / whole;
    if (!(check.distance <= most_distance + check.allowed)) {
        check.problem = fmt::format("the {}s are off by {:.3g} of their sum, more than {:g}", value,
                                    check.distance, most_distance + check.allowed);
    } else if (wrong < values.size()) {
        check.problem = fmt::format("the {} of vertex {} is {:g}; expected {:g}", value, wrong, values[wrong],
                                    expected[wrong]);
    }
    return check;
}

}  // namespace lockstep
