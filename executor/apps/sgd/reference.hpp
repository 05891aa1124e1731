// The serial reference of SGD. It processes one edge after another in plan order, in double precision,
// without lanes or walks. Tests compare every strategy with it.
#pragma once

#include "apps/sgd/backend.hpp"

namespace lockstep::sgd {

std::unique_ptr<Backend> make_reference_backend(const Problem& problem, const Factors& initial);

}  // namespace lockstep::sgd
