// Meshes of faces as graphs.
#pragma once

#include "lines.hpp"
#include "readers.hpp"

namespace lockstep::readers {

Parsed read_obj(const Job& job);
/// Reads Triangle's NAME.ele. Points are numbered from the number of the first triangle, which is 0 or 1 in
/// valid files.
Parsed read_triangles(const Job& job);

/// Returns a coordinate, which must be finite in single precision; otherwise fails at this line.
float coordinate_of(const Lines& lines, std::string_view token);

}  // namespace lockstep::readers
