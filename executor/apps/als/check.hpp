// Checks of the factors that implicit ALS computes. They share no code with its solvers.
#pragma once

#include "apps/als/solver.hpp"

namespace lockstep::als {

/// Verifies that the vectors of the columns minimise the objective for the given vectors of the rows. Returns
/// a description of the first error, or an empty string. For each checked column, the gradient of the
/// objective must be small compared with its terms; it is computed in double precision, pair by pair. Checks
/// all columns, or 1,000 of them at equal distances. O(checked columns x rows x rank).
std::string problem_of_columns(const Problem& problem, const Factors& factors);

/// Verifies that the factors are not at a saddle point, where each side solves its equations with fewer
/// dimensions than the rank although a further dimension would lower the objective. Returns a description of the
/// error; empty if all dimensions are used, or if no further dimension would help. Let R be the matrix of
/// half the negative derivatives of the objective by the predictions, and let r_u and r_v be the
/// regularisations of row u and column v. Unused dimensions are correct at an optimum if and only if the
/// largest singular value of R_uv / sqrt(r_u r_v) is at most 1 (dual norm of the regularisation; Srebro,
/// Rennie and Jaakkola, NIPS 2004). O((rows + columns) rank^2 + edges rank).
std::string problem_of_dimensions(const Problem& problem, const Factors& factors);

}  // namespace lockstep::als
