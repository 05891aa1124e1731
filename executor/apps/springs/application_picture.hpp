// Draws several frames of a simulation side by side in one picture.
#pragma once

#include <string>
#include <vector>

#include "apps/springs/driver.hpp"

namespace lockstep::springs {

/// Draws frames side by side as SVG, seen slightly from above. Each spring is a line; if there are many
/// springs, only some of the shorter ones are drawn. `frames` contains x, y and z of every particle, for each
/// frame. Throws OutputError.
void write_strip(const std::string& path, const Model& model, const std::vector<std::vector<float>>& frames);

}  // namespace lockstep::springs
