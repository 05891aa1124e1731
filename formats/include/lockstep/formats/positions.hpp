// Coordinates of the vertices of a graph, in the plane or in space, as files contain them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/formats/id_map.hpp"

namespace lockstep {

struct Positions {
    std::size_t columns = 3;             ///< numbers per row: x, y, optionally z and a fourth number
    std::vector<float> values;           ///< finite values, row-major
    std::vector<std::string> ids;        ///< ids of the rows, if the file contains them
    std::vector<std::uint64_t> lines{};  ///< line of each row, if the file is text

    std::size_t rows() const { return values.size() / columns; }
};

/// Reads positions; the format depends on the suffix. Accepts a 2-D NumPy array of float32 or float64 (.npy),
/// the points of a Wavefront mesh (.obj) or of a Triangle mesh (.node, .ele), and otherwise text with one
/// line "id x y [z [w]]" per vertex. Throws FormatError, with the line if the file is text.
Positions read_positions(const std::filesystem::path& path);

/// Returns the row of every vertex. If the file contains ids, this is the row with the vertex's ID. In an
/// array with one row per vertex, it is the row with the vertex's index; in another array, the row whose
/// index is the vertex's ID. Throws FormatError with `path` if a vertex has no row, and with the line if it
/// has two.
std::vector<std::size_t> rows_of(const Positions& positions, const IdMap& ids, const std::string& path);

}  // namespace lockstep
