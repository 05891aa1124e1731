// Places the points of a mesh from a file on a grid of integers, so that geometric predicates are exact.
#pragma once

#include <string>

#include "lockstep/executor/mesh/grid.hpp"
#include "lockstep/executor/mesh/mesh.hpp"
#include "lockstep/formats/mesh_file.hpp"

namespace lockstep::dmr {

struct PlacedMesh {
    mesh::Grid grid;
    mesh::Mesh input;
    EdgeId moved = 0;  ///< number of points whose position on the grid differs from that in the file
};
/// Rounds the points of a mesh to the grid, and finds the neighbours of its triangles. Throws FormatError if
/// the file is not a valid mesh; the error names a line of the file `ele`, or the file with the points.
PlacedMesh place_on_grid(const MeshFile& file, const std::string& ele);

}  // namespace lockstep::dmr
