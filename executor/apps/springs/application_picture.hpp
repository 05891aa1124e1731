// A picture of several frames side by side.
#pragma once

#include <string>
#include <vector>

#include "apps/springs/driver.hpp"

namespace lockstep::springs {

/// Draws frames side by side, seen a little from above, as SVG: one line for each spring or, if there are
/// many springs, for each of some of the shorter ones. `frames`: x, y, z of every particle. Throws
/// OutputError.
void write_strip(const std::string& path, const Model& model, const std::vector<std::vector<float>>& frames);

}  // namespace lockstep::springs
