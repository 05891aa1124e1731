// Meshes of triangles as Triangle (Shewchuk 1996) reads and writes them: NAME.node has the points, NAME.ele
// the triangles.
//
//     NAME.node   points 2 attributes markers       NAME.ele   triangles 3 attributes
//                 number x y …                                 number corner corner corner …
//
// '#' begins a comment. Points and triangles are numbered from 0 or 1, as the first point says. Attributes
// and markers are read over.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

struct MeshFile {
    std::vector<double> x, y;           ///< finite, below 1e150
    std::vector<std::int32_t> corners;  ///< three a triangle, from 0
    int first = 0;                      ///< number of the first point in the files
    std::vector<std::uint64_t>
        lines{};  ///< of NAME.ele: where each triangle stands; empty where it was not read
};

/// Whether a path names a mesh by its suffix, .node or .ele.
bool names_mesh(const std::filesystem::path& path);
/// "m.node" and "m.ele" of either of them.
std::pair<std::filesystem::path, std::filesystem::path> mesh_paths(const std::filesystem::path& path);

/// Reads both files, whichever is named; each may be compressed. O(points + triangles); what a header
/// declares asks for no memory. Throws FormatError with path and line.
MeshFile read_mesh(const std::filesystem::path& path);
/// XXH3-128 of points and triangles, hex.
std::string mesh_hash(const MeshFile& mesh);
/// Writes both, the points first, each atomically; numbers as short as they are read back the same. Throws
/// OutputError.
void write_mesh(const std::filesystem::path& path, const MeshFile& mesh, const std::string& comment);

}  // namespace lockstep
