// Readers of Wavefront and Triangle meshes as graphs, whose edges are the sides of the faces.
#pragma once

#include "lines.hpp"
#include "readers.hpp"

namespace lockstep::readers {

ParsedFile read_obj(const Job& job);
/// Reads NAME.ele of a Triangle mesh. Its points are numbered from 0 or from 1, like its triangles, as the
/// number of the first triangle shows.
ParsedFile read_triangles(const Job& job);

/// Returns the coordinate that the word denotes. Throws FormatError, with the line, unless it is finite in
/// single precision.
float coordinate_of(const Lines& lines, std::string_view token);

}  // namespace lockstep::readers
