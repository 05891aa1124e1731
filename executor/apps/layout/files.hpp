// Positions in files, and a drawing as a picture.
#pragma once

#include <string>

#include "apps/layout/drawing.hpp"
#include "lockstep/formats/id_map.hpp"

namespace lockstep::layout {

/// Whether a name ends so: ".npy".
bool names_array(const std::string& path);
/// SVG or PNG, by the name's end; whether this build can draw.
bool names_picture(const std::string& path);
bool draws_pictures();

/// What --output writes: lines `id x y [z]`, .npy {vertices x dimensions} in the order of the ids, or HDF5. Throws
/// FormatError, of text with the line: on a vertex that is missing, named twice or not of the graph, on a position that is
/// not finite, and on two vertices at one place, between which a step has no direction.
Places read_places(const std::string& path, const IdMap& ids, int dimensions);
void write_array(const std::string& path, const Places& places, int dimensions);

/// The edges as lines, coloured from short to long as drawn; the first two coordinates, `pixels` on the longer side.
void write_picture(const std::string& path, const Graph& graph, const Places& places, int dimensions,
                   int pixels);

}  // namespace lockstep::layout
