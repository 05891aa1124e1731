// A sum of floating-point numbers that does not depend on the order of its terms.
#pragma once

#include <span>

namespace lockstep::structure {

/// Returns the sum of finite numbers, computed exactly and rounded once to the nearest double. O(number of
/// terms)
double exact_sum(std::span<const float> terms);

}  // namespace lockstep::structure
