// A mesh of a file, put on a grid.
#pragma once

#include <string>

#include "lockstep/executor/mesh/grid.hpp"
#include "lockstep/executor/mesh/mesh.hpp"
#include "lockstep/formats/mesh_file.hpp"

namespace lockstep::dmr {

struct PlacedMesh {
    mesh::Grid grid;
    mesh::Mesh input;
    EdgeId moved = 0;  ///< points that are not where the file has them
};
/// Throws FormatError if the file is no mesh: with the line of `ele`, or with the file of the points.
PlacedMesh placed(const MeshFile& file, const std::string& ele);

}  // namespace lockstep::dmr
