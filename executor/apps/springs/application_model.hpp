// What is simulated, from what the user has: a graph of springs, positions of its vertices, pinned ones.
#pragma once

#include <string>
#include <vector>

#include "apps/frame/input.hpp"
#include "apps/springs/driver.hpp"

namespace lockstep::springs {

/// Files and ids of a command line.
struct Given {
    std::string positions;            ///< read_positions; a fourth number is the inverse mass
    std::vector<std::string> pinned;  ///< ids
};

/// Makes the model. Rest lengths are the weights, or without weights the distances of the positions. Throws FormatError with
/// the ends of the spring if a rest length is not above zero or the spring is a loop, UsageError for an unknown ID.
/// `symmetric`: the model has a backward sweep.
Model make_model(const Input& input, const Given& given, bool symmetric);

}  // namespace lockstep::springs
