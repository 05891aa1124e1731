// Makes the model that is simulated from the user's input: a graph of springs, the positions of its vertices,
// and the vertices that are pinned.
#pragma once

#include <string>
#include <vector>

#include "apps/frame/input.hpp"
#include "apps/springs/driver.hpp"

namespace lockstep::springs {

/// The files and IDs that the user has given.
struct InputFiles {
    /// File that read_positions() reads; a fourth number per line is the inverse mass of the particle.
    std::string positions;
    std::vector<std::string> pinned;  ///< IDs of particles that do not move
};

/// Makes the model. The rest lengths of the springs are the weights of the edges; in a graph without weights,
/// they are the distances between the positions. `symmetric`: whether an iteration has a second sweep in the
/// opposite order. Throws FormatError with the endpoints of the spring if a rest length is not above 0 or a
/// spring is a loop, and UsageError if an ID is unknown.
Model make_model(const Input& input, const InputFiles& given, bool symmetric);

}  // namespace lockstep::springs
