// Triangle meshes in the format of Triangle (Shewchuk 1996): NAME.node contains the points, NAME.ele the
// triangles.
//
//     NAME.node   points 2 attributes markers       NAME.ele   triangles 3 attributes
//                 number x y …                                 number corner corner corner …
//
// '#' starts a comment. Points and triangles are numbered from 0 or from 1; the number of the first point
// decides. Attributes and markers are skipped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

struct MeshFile {
    std::vector<double> x, y;           ///< coordinates, finite and of magnitude < 1e150
    std::vector<std::int32_t> corners;  ///< three point indices per triangle, counted from 0
    int first = 0;                      ///< number of the first point in the files
    std::vector<std::uint64_t>
        lines{};  ///< line of each triangle in NAME.ele; empty for a mesh that was not read from a file
};

/// Returns true if the suffix of a path is that of a mesh file, .node or .ele.
bool names_mesh(const std::filesystem::path& path);
/// Returns the paths of both files, "m.node" and "m.ele", for the path of either.
std::pair<std::filesystem::path, std::filesystem::path> mesh_paths(const std::filesystem::path& path);

/// Reads both files, given the path of either; each may be compressed. O(points + triangles). The sizes that
/// a header declares are not allocated in advance. Throws FormatError with path and line.
MeshFile read_mesh(const std::filesystem::path& path);
/// Returns the XXH3-128 hash of points and triangles, in hex.
std::string mesh_hash(const MeshFile& mesh);
/// Writes both files, the points first, each atomically. Numbers are written with the fewest digits that read
/// back as the same value. Throws OutputError.
void write_mesh(const std::filesystem::path& path, const MeshFile& mesh, const std::string& comment);

}  // namespace lockstep
