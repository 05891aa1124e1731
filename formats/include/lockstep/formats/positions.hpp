// Coordinates of the vertices of a graph, in the plane or in space, read from a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/formats/id_map.hpp"

namespace lockstep {

/// A table of coordinates, one row per point of the file.
struct Positions {
    std::size_t columns = 3;       ///< number of numbers per row: x, y, optionally z and a fourth number
    std::vector<float> values;     ///< the numbers, row by row; all are finite
    std::vector<std::string> ids;  ///< ID of each row, if the file contains IDs
    std::vector<std::uint64_t> lines{};  ///< line number of each row, if the file is text

    std::size_t rows() const { return values.size() / columns; }
};

/// Reads coordinates; the suffix determines the format. .npy is a 2-D NumPy array of float32 or float64, .obj
/// a Wavefront mesh, and .node or .ele a Triangle mesh, of which the points are read. Any other file is text
/// with one line "id x y [z [w]]" per vertex. Throws FormatError, with the line if the file is text.
Positions read_positions(const std::filesystem::path& path);

/// Returns the row of the table for every vertex of a graph with the given IDs. If the file contains IDs, it
/// is the row with the ID of the vertex. Otherwise, if there is one row per vertex, it is the row with the
/// index of the vertex; if there are more or fewer rows, the ID of the vertex is the index of its row. Throws
/// FormatError with `path` if a vertex has no row, and with the line if it has two rows.
std::vector<std::size_t> rows_of(const Positions& positions, const IdMap& ids, const std::string& path);

}  // namespace lockstep
