// Checks of the factors of implicit ALS that share no code with its solver.
#pragma once

#include "apps/als/solver.hpp"

namespace lockstep::als {

/// Returns why the vectors of the columns do not minimise the objective for the given vectors of the rows;
/// empty if they do. The gradient of the objective, in double precision and pair by pair, must be small
/// compared with its terms, for all columns or for 1,000 of them, spread evenly. O(columns checked x rows x
/// rank).
std::string problem_of_columns(const Problem& problem, const Factors& factors);

/// Returns why the factors are not at a minimum although each side solves its equations: all vectors of both
/// sides lie in fewer dimensions than the rank, and one more dimension would lower the objective. Empty if
/// all dimensions are in use, or none more would help. With R the matrix of half the negative derivatives by
/// the predictions, and row u and column v regularised by r_u and r_v, unused dimensions are right at an
/// optimum exactly if the largest singular value of R_uv / sqrt(r_u r_v) is at most 1 (the dual norm of the
/// regularisation, Srebro, Rennie and Jaakkola, NIPS 2004). O((rows + columns) rank^2 + edges rank).
std::string problem_of_dimensions(const Problem& problem, const Factors& factors);

}  // namespace lockstep::als
