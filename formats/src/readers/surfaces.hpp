// Meshes of faces as graphs.
#pragma once

#include "lines.hpp"
#include "readers.hpp"

namespace lockstep::readers {

Parsed read_obj(const Job& job);
/// Triangle's NAME.ele: points are counted from the number of the first triangle, 0 or 1.
Parsed read_triangles(const Job& job);

/// A finite number of single precision; fails at the line otherwise.
float coordinate_of(const Lines& lines, std::string_view token);

}  // namespace lockstep::readers
