// Whether factors solve what implicit ALS asks, found without its solver.
#pragma once

#include "apps/als/engine.hpp"

namespace lockstep::als {

/// Why the vectors of the columns are not those of least cost, given those of the rows; empty: they are. The gradient
/// of the objective, in double precision and pair by pair, is small beside its terms, at all columns or a thousand of them, spread evenly.
/// O(columns looked at x rows x rank).
std::string problem_of_columns(const Problem& problem, const Factors& factors);

}  // namespace lockstep::als
