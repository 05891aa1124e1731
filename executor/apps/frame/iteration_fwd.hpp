// Declarations for the headers of applications along arcs: the types of a run (incomplete), and the
// comparison of its values with a serial reference. The file is short, because the CUDA compiler includes it
// too.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lockstep {

// The complete types are in frame/arcs.hpp; RunCallbacks is in frame/outcome.hpp.
struct ArcOptions;
struct ArcRun;
template <class Round>
struct ArcOutcome;
struct RunCallbacks;

/// The result of a comparison between the values of a run along arcs and those of a serial reference.
struct ArcCheck {
    double distance = 0;  ///< L1 distance from the values of the reference, relative to their sum
    double worst = 0;     ///< maximum relative error of a vertex's value
    double sum = 0;       ///< sum of all values of the run
    double allowed = 0;  ///< part of `distance` that rounding may cause, allowed in addition to the tolerance
    std::string problem;  ///< description of the first error; empty if the values are right
    /// L1 distance between the values and the values after one more round, if the application computes it.
    std::optional<double> residual = {};
};
/// Compares the values of a run with the values `expected` of a reference, both by vertex. The values are
/// right if the relative L1 distance is at most 1e-6 and the relative error of each value is at most 1e-5. A
/// value's absolute error is ignored if it is at most 1e-12 of the sum of `expected`. `value` is the word for
/// a value in error messages, such as "rank". `rounding` is an additional absolute error that is allowed for
/// each vertex; empty: none. Serial, O(vertices).
ArcCheck check_values(const std::vector<float>& values, const std::vector<double>& expected,
                      const char* value, const std::vector<double>& rounding = {});

}  // namespace lockstep
