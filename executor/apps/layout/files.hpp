// Reads and writes files of vertex positions, and writes pictures of drawings.
#pragma once

#include <string>

#include "apps/layout/drawing.hpp"
#include "lockstep/formats/id_map.hpp"

namespace lockstep::layout {

/// Returns true if the name of a file ends in ".npy".
bool names_array(const std::string& path);
/// names_picture() returns true if the name of a file ends in ".svg" or ".png". draws_pictures() returns true
/// if this build can draw pictures (it has cairo).
bool names_picture(const std::string& path);
bool draws_pictures();

/// Reads positions from a file that --output has written: lines `id x y [z]`, a .npy array {vertices x
/// dimensions} in the order of the vertices, or HDF5. Throws FormatError (for text with the line number) if a
/// vertex is missing, occurs twice or is not in the graph, if a position is not finite, or if two vertices
/// have equal positions, because a step between them would have no direction.
VertexPositions read_places(const std::string& path, const IdMap& ids, int dimensions);
void write_array(const std::string& path, const VertexPositions& places, int dimensions);

/// Draws the edges as straight lines whose colours show their lengths in the drawing. Only the first two
/// coordinates are used. The longer side of the picture has `pixels` pixels.
void write_picture(const std::string& path, const Graph& graph, const VertexPositions& places, int dimensions,
                   int pixels);

}  // namespace lockstep::layout
