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

/// Rest lengths are the weights, or where there are none the distances of the positions. Throws FormatError, with the ends
/// of the spring, where one is not above zero, and on a loop; UsageError where an id is none.
Model make_model(const Input& input, const Given& given);

}  // namespace lockstep::springs
