// Files of positions, and pictures of drawings.
#pragma once

#include <string>

#include "apps/layout/drawing.hpp"
#include "lockstep/formats/id_map.hpp"

namespace lockstep::layout {

/// Returns whether the name of a file ends in ".npy".
bool names_array(const std::string& path);
/// Returns whether the name of a file ends in ".svg" or ".png"; `draws_pictures` returns whether this build
/// can draw.
bool names_picture(const std::string& path);
bool draws_pictures();

/// Reads positions as --output writes them: lines `id x y [z]`, .npy {vertices x dimensions} in the order of
/// the IDs, or HDF5. Throws FormatError (for text with the line) if a vertex is missing, occurs twice or is
/// not in the graph, if a position is not finite, or if two vertices have the same position, so that a step
/// between them has no direction.
Places read_places(const std::string& path, const IdMap& ids, int dimensions);
void write_array(const std::string& path, const Places& places, int dimensions);

/// Draws the edges as lines, coloured from short to long as drawn. The first two coordinates are used; the
/// longer side has `pixels` pixels.
void write_picture(const std::string& path, const Graph& graph, const Places& places, int dimensions,
                   int pixels);

}  // namespace lockstep::layout
