// The simulated model, made from the user's data: a graph of springs, positions of its vertices, and pinned
// vertices.
#pragma once

#include <string>
#include <vector>

#include "apps/frame/input.hpp"
#include "apps/springs/driver.hpp"

namespace lockstep::springs {

/// Files and IDs that are given on the command line.
struct Given {
    std::string positions;            ///< file for read_positions; a fourth number is the inverse mass
    std::vector<std::string> pinned;  ///< IDs of pinned particles
};

/// Makes the model. Rest lengths are the weights, or, without weights, the distances of the positions. Throws
/// FormatError with the endpoints of the spring if a rest length is not above zero or the spring is a loop,
/// UsageError for an unknown ID. `symmetric`: whether the model has a backward sweep.
Model make_model(const Input& input, const Given& given, bool symmetric);

}  // namespace lockstep::springs
