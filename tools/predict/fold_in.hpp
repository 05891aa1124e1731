// New users in an existing model: their vectors are computed from their ratings, the items do not change.
#pragma once

#include "lockstep/formats/dataset.hpp"
#include "lockstep/formats/model_file.hpp"

namespace lockstep::predict {

/// Returns the model with the users of `ratings` added. Each user gets the vector p, and in a biased model
/// the bias b, that minimise
///
///     sum over its ratings of known items of (weight - mean - c_i - b - p q_i)^2
///         + n regularisation (|p|^2 + b^2)
///
/// with n such ratings. This is the function that SGD minimises over the ratings of a user, with item vectors
/// q_i and biases c_i fixed. Solves a ridge regression by Cholesky decomposition in double precision; with
/// `nonnegative`, uses coordinate descent with p ≥ 0 (Franc, Hlaváč and Navara, CAIP 2005). A user that the
/// model already has gets the new vector. A user without a known item gets a zero vector, so that predictions
/// are the mean plus the item biases; `*empty` is set to the number of these users. Throws Error (usage) if
/// the regularisation is 0 and the ratings do not determine p. The result does not depend on the number of
/// threads. O(edges rank^2 + users rank^3).
Model folded_in(const Model& model, const Dataset& ratings, double regularisation, bool nonnegative,
                VertexId* empty);

}  // namespace lockstep::predict
