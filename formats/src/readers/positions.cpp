// Reading of the coordinates of vertices: from NumPy arrays, from meshes, and from text (see positions.hpp).
#include "lockstep/formats/positions.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "lockstep/formats/error.hpp"
#include "lockstep/formats/mesh_file.hpp"
#include "lockstep/formats/npy.hpp"
#include "words.hpp"

namespace lockstep {

namespace {

using namespace readers;

template <class T>
void append(const NpyArray& array, std::vector<float>& values) {
    for (std::size_t i = 0; i < array.bytes.size(); i += sizeof(T)) {
        T value;
        std::memcpy(&value, array.bytes.data() + i, sizeof value);
        values.push_back(static_cast<float>(value));
    }
}
Positions of_array(const std::filesystem::path& path) {
    const NpyArray array = read_npy(path);
    if (array.shape.size() != 2 || array.shape[1] < 2 || array.shape[1] > 4 ||
        (array.type != "<f4" && array.type != "<f8"))
        throw FormatError(path.string(),
                          fmt::format("it is an array of {} dimensions of {}; expected one row per vertex "
                                      "with x, y and optionally z, of float32 or float64",
                                      array.shape.size(), array.type));
    Positions positions{array.shape[1], {}, {}};
    array.type == "<f4" ? append<float>(array, positions.values) : append<double>(array, positions.values);
    for (std::size_t i = 0; i < positions.values.size(); ++i) {
        if (!std::isfinite(positions.values[i]))
            throw FormatError(path.string(),
                              fmt::format("row {} has a number that is not finite", i / positions.columns));
    }
    return positions;
}

Positions of_mesh(const std::filesystem::path& path) {
    const MeshFile mesh = read_mesh(path);
    Positions positions{2, {}, {}};
    for (std::size_t i = 0; i < mesh.x.size(); ++i) {
        for (const double x : {mesh.x[i], mesh.y[i]}) {
            if (!std::isfinite(static_cast<float>(x)))
                throw FormatError(mesh_paths(path).first.string(),
                                  fmt::format("{} is too large for single precision", x));
            positions.values.push_back(static_cast<float>(x));
        }
        positions.ids.push_back(std::to_string(i + static_cast<std::size_t>(mesh.first)));
    }
    return positions;
}

/// Reads the lines "v x y z" of an OBJ file, or lines "id x y [z [w]]" of other text files.
Positions of_text(const std::filesystem::path& path, bool obj) {
    InputFile file(path);
    Input input(file);
    LineReader lines(input);
    Positions positions;
    readers::Fields fields;
    while (next_fields(lines, '#', fields)) {
        if (obj && fields[0] != "v") continue;
        const std::size_t found = obj ? std::min<std::size_t>(fields.size() - 1, 3) : fields.size() - 1;
        if (positions.ids.empty()) positions.columns = found;
        if (found < (obj ? 3 : 2) || found > 4 || found != positions.columns)
            lines.fail(fmt::format("found {} numbers after {}, expected {}", found, shown(fields[0]),
                                   positions.ids.empty()
                                       ? "x, y and optionally z"
                                       : fmt::format("{} as in the lines above", positions.columns)));
        for (std::size_t i = 1; i <= found; ++i)
            positions.values.push_back(parse_coordinate(lines, fields[i]));
        positions.ids.push_back(obj ? std::to_string(positions.ids.size() + 1) : std::string(fields[0]));
        positions.lines.push_back(lines.number());
    }
    input.finish();
    if (positions.ids.empty())
        lines.fail("the file has no positions; expected lines \"id x y\" or \"id x y z\"");
    return positions;
}

}  // namespace

Positions read_positions(const std::filesystem::path& path) {
    if (path.extension() == ".npy") return of_array(path);
    return names_mesh(path) ? of_mesh(path) : of_text(path, path.extension() == ".obj");
}

std::vector<std::size_t> rows_of(const Positions& positions, const IdMap& ids, const std::string& path) {
    constexpr std::size_t none = ~std::size_t{0};
    std::vector<std::size_t> row(ids.size(), none);
    for (std::size_t r = 0; r < positions.ids.size(); ++r) {
        const auto v = ids.find(positions.ids[r]);
        if (!v) continue;
        if (row[*v] != none)
            throw FormatError(
                path, positions.lines[r],
                fmt::format("vertex {} has a position already, in line {}; expected one position per vertex",
                            ids.name(*v), positions.lines[row[*v]]));
        row[*v] = r;
    }
    for (VertexId v = 0; v < ids.size(); ++v) {
        if (!positions.ids.empty()) {
        } else if (positions.rows() == ids.size()) {
            row[v] = v;
        } else if (const auto id = canonical_integer(ids.name(v)); id && *id >= 0) {
            row[v] = static_cast<std::size_t>(*id);
        }
        if (row[v] >= positions.rows())
            throw FormatError(
                path,
                fmt::format(
                    "it has no position of vertex {}; expected one position for each of {} vertices ({})",
                    ids.name(v), ids.size(), ids.describe()));
    }
    return row;
}

}  // namespace lockstep
