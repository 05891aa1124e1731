// Checks that all values of a result are finite (neither infinite nor NaN).
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace lockstep {

inline bool are_finite(std::span<const float> values) {
    bool finite = true;
#pragma omp parallel for schedule(static) reduction(&& : finite)
    for (std::size_t i = 0; i < values.size(); ++i) finite = finite && std::isfinite(values[i]);
    return finite;
}

}  // namespace lockstep
