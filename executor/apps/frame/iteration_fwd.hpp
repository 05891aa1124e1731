// The declarations that the header of an application along arcs needs: the types of its run, and the
// comparison of its values with those of a serial reference. The CUDA compiler includes this file too.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lockstep {

// frame/arcs.hpp defines the types of a run, frame/outcome.hpp the callbacks.
struct ArcOptions;
struct ArcRun;
template <class Round>
struct ArcOutcome;
struct RunCallbacks;

struct ArcCheck {
    double distance = 0;  ///< L1 distance, relative to the sum of the reference
    double worst = 0;     ///< maximum relative error of one vertex
    double sum = 0;       ///< sum of the values
    double allowed = 0;   ///< additional `distance` that is allowed for rounding
    std::string problem;  ///< description of the error; empty: the values are good
    /// L1 distance from the values after one more round, if the application computes it
    std::optional<double> residual = {};
};
/// Compares `values` with `expected`, both by vertex. They are good if the relative L1 distance is at most
/// 1e-6 and the relative error of each value is at most 1e-5; errors of at most 1e-12 of the reference's sum
/// are ignored. `value` is the word for a value in messages. `rounding` is the additional absolute error that
/// is allowed per vertex; empty: none. O(vertices), serial.
ArcCheck check_values(const std::vector<float>& values, const std::vector<double>& expected,
                      const char* value, const std::vector<double>& rounding = {});

}  // namespace lockstep
