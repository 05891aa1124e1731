// New users in a model that is there: their vectors from their ratings, the items as they are.
#pragma once

#include "lockstep/formats/dataset.hpp"
#include "lockstep/formats/model_file.hpp"

namespace lockstep::predict {

/// The model with the users of `ratings`: each has the vector p, and in a biased model the bias b, that
/// minimise
///
///     sum over its ratings of known items of (weight - mean - c_i - b - p q_i)^2 + n regularisation (|p|^2 +
///     b^2)
///
/// with n such ratings: what SGD minimises over a user's ratings, item vectors q_i and biases c_i held. Ridge
/// regression by Cholesky in double precision; with `nonnegative`, by coordinate descent, p at or above 0
/// (Franc, Hlaváč and Navara, CAIP 2005). A user that the model knows gets the new vector; one without a
/// known item is told by mean and item biases alone. `*empty` counts these. Throws Error (usage) on a
/// regularisation of 0 where the ratings do not determine p. The same for any number of threads. O(edges
/// rank^2 + users rank^3).
Model folded_in(const Model& model, const Dataset& ratings, double regularisation, bool nonnegative,
                VertexId* empty);

}  // namespace lockstep::predict
