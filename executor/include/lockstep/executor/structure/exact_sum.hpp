// Sums that no order of the terms changes.
#pragma once

#include <span>

namespace lockstep::structure {

/// The sum of finite numbers, exact before it is rounded once, to the nearest double. O(size).
double exact_sum(std::span<const float> terms);

}  // namespace lockstep::structure
