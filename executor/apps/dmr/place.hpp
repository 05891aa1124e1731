// The mesh of a file with its points on a grid.
#pragma once

#include <string>

#include "lockstep/executor/mesh/grid.hpp"
#include "lockstep/executor/mesh/mesh.hpp"
#include "lockstep/formats/mesh_file.hpp"

namespace lockstep::dmr {

struct PlacedMesh {
    mesh::Grid grid;
    mesh::Mesh input;
    EdgeId moved = 0;  ///< number of points that the grid has moved from their position in the file
};
/// Moves the points of a mesh to a grid, and connects its triangles. Throws FormatError if the file is not a
/// mesh: with the line of `ele`, or with the file of the points.
PlacedMesh placed(const MeshFile& file, const std::string& ele);

}  // namespace lockstep::dmr
