// Triangle meshes in the format of Triangle (Shewchuk 1996): NAME.node contains the points, NAME.ele the
// triangles.
//
//     NAME.node   points 2 attributes markers       NAME.ele   triangles 3 attributes
//                 number x y …                                 number corner corner corner …
//
// '#' starts a comment. Points and triangles are numbered from 0 or from 1, as the number of the first point
// shows. Attributes and markers are skipped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// The contents of both files of a mesh.
struct MeshFile {
    std::vector<double> x, y;  ///< coordinates of the points; finite, with absolute values below 1e150
    std::vector<std::int32_t> corners;  ///< three indices of points per triangle; the first point has index 0
    int first = 0;                      ///< number that the files give to the first point, 0 or 1
    std::vector<std::uint64_t>
        lines{};  ///< line of each triangle in NAME.ele; empty for a mesh that was not read from a file
};

/// Returns whether the suffix of a path is .node or .ele.
bool names_mesh(const std::filesystem::path& path);
/// Returns the paths of both files of a mesh, "m.node" and "m.ele". `path` is one of them.
std::pair<std::filesystem::path, std::filesystem::path> mesh_paths(const std::filesystem::path& path);

/// Reads both files of a mesh; `path` is one of them. The files may be compressed. Memory is allocated as
/// points and triangles are read, not by the sizes that the headers declare. Throws FormatError with path and
/// line. O(points + triangles).
MeshFile read_mesh(const std::filesystem::path& path);
/// Returns the XXH3-128 hash of the points and triangles, as hexadecimal digits.
std::string mesh_hash(const MeshFile& mesh);
/// Writes both files, first the points, each with an AtomicFile. Numbers are written with the minimum number
/// of digits with which a reader restores the same value. Throws OutputError.
void write_mesh(const std::filesystem::path& path, const MeshFile& mesh, const std::string& comment);

}  // namespace lockstep
