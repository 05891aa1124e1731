// Sums that do not depend on the order of their terms.
#pragma once

#include <span>

namespace lockstep::structure {

/// Returns the sum of finite numbers, computed exactly and rounded once, to the nearest double. O(size).
double exact_sum(std::span<const float> terms);

}  // namespace lockstep::structure
