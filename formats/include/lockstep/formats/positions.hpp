// Positions of the vertices of a graph, in the plane or in space, as files have them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/formats/id_map.hpp"

namespace lockstep {

struct Positions {
    std::size_t columns = 3;             ///< numbers of a vertex: x, y, perhaps z, perhaps one more
    std::vector<float> values;           ///< finite, row after row
    std::vector<std::string> ids;        ///< of the rows, where the file names them
    std::vector<std::uint64_t> lines{};  ///< line of each row, where the file is text

    std::size_t rows() const { return values.size() / columns; }
};

/// By suffix: NumPy's array (.npy) of two dimensions, of float32 or float64; the points of a Wavefront mesh (.obj) or of
/// Triangle's (.node, .ele); else text, a line "id x y [z [w]]" a vertex. Throws FormatError, with the line of text.
Positions read_positions(const std::filesystem::path& path);

/// Returns the row of every vertex: the row with its ID, or in an array the row with the number of the ID, or with the
/// index of the ID. Throws FormatError naming `path` if a vertex has no row, and with the line if it has two.
std::vector<std::size_t> rows_of(const Positions& positions, const IdMap& ids, const std::string& path);

}  // namespace lockstep
