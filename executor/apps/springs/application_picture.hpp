// A strip of frames as a picture.
#pragma once

#include <string>
#include <vector>

#include "apps/springs/driver.hpp"

namespace lockstep::springs {

/// Frames side by side, seen a little from above, as SVG: a line a spring, of many the shorter ones. `frames`: x, y, z of
/// every particle. Throws OutputError.
void write_strip(const std::string& path, const Model& model, const std::vector<std::vector<float>>& frames);

}  // namespace lockstep::springs
