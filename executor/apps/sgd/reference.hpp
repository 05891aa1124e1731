// The serial reference of SGD: double precision, one edge after another in plan order, without lanes or
// walks. Every strategy is compared with it.
#pragma once

#include "apps/sgd/backend.hpp"

namespace lockstep::sgd {

std::unique_ptr<Backend> make_reference_backend(const Problem& problem, const Factors& initial);

}  // namespace lockstep::sgd
