// Reading and writing of triangle meshes in Triangle's format (.node and .ele), see mesh_file.hpp.
#include <fmt/format.h>

#include <cmath>

#include "input.hpp"
#include "lockstep/formats/hash.hpp"
#include "lockstep/formats/input_file.hpp"
#include "lockstep/formats/mesh_file.hpp"
#include "lockstep/formats/output_file.hpp"
#include "words.hpp"

namespace lockstep {

namespace {

using namespace readers;

/// Returns the fields of the first line that is neither blank nor a comment. Throws FormatError if it has
/// fewer than `least` fields or more than four.
readers::Fields read_header(LineReader& lines, std::size_t least, const char* expected) {
    readers::Fields fields;
    if (!next_fields(lines, '#', fields))
        lines.fail(fmt::format("the file has no first line; expected {}", expected));
    if (fields.size() < least || fields.size() > 4)
        lines.fail(fmt::format("the first line has {} numbers; expected {}", fields.size(), expected));
    return fields;
}

template <class T>
T parse_as(const Lines& lines, std::string_view token, const char* name, const char* expected) {
    const auto value = readers::number<T>(token.starts_with('+') ? token.substr(1) : token);
    if (!value) lines.fail(fmt::format("{} {} is not {}", name, shown(token), expected));
    return *value;
}

double parse_double(const Lines& lines, std::string_view token, const char* name) {
    const auto value = parse_as<double>(lines, token, name, "a number such as 3.5 or 1e-3");
    if (!(std::abs(value) < 1e150))
        lines.fail(fmt::format("{} {} is too large; expected a number below 1e150", name, shown(token)));
    return value;
}

constexpr const char* expected_points = "\"POINTS 2 ATTRIBUTES MARKERS\"";
constexpr const char* expected_triangles = "\"TRIANGLES 3 ATTRIBUTES\"";
constexpr std::size_t max_mesh_points = std::size_t{1} << 28;

EdgeId count_of(const Lines& lines, std::string_view token, const char* name) {
    const EdgeId count = parse_count(lines, token, name);
    if (count > max_mesh_points)
        lines.fail(fmt::format("the {} is {}; expected at most {}", name, count, max_mesh_points));
    return count;
}

void read_points(const std::filesystem::path& path, MeshFile& mesh) {
    InputFile file(path);
    Input input(file);
    LineReader lines(input);
    readers::Fields fields = read_header(lines, 2, expected_points);
    const EdgeId points = count_of(lines, fields[0], "number of points");
    if (fields[1] != "2")
        lines.fail(fmt::format("the points have {} coordinates; expected 2: only planar meshes are read",
                               shown(fields[1])));
    if (points == 0)
        lines.fail(
            "the file declares no points: they may be in a .poly file, which is not read; let Triangle write "
            "a mesh (NAME.1.node and NAME.1.ele)");
    while (next_fields(lines, '#', fields)) {
        if (mesh.x.size() == points)
            lines.fail(fmt::format("found another point after the {} that the first line declares", points));
        if (fields.size() < 3)
            lines.fail(fmt::format("found {} numbers, expected a point: its number, x and y", fields.size()));
        const auto number = parse_as<std::int64_t>(lines, fields[0], "the point's number", "a whole number");
        if (mesh.x.empty()) {
            if (number != 0 && number != 1)
                lines.fail(fmt::format("the first point has the number {}; expected 0 or 1", number));
            mesh.first = static_cast<int>(number);
        }
        const auto expected = static_cast<std::int64_t>(mesh.x.size()) + mesh.first;
        if (number != expected)
            lines.fail(fmt::format("the point has the number {}; expected {}: points must be in order",
                                   number, expected));
        mesh.x.push_back(parse_double(lines, fields[1], "x"));
        mesh.y.push_back(parse_double(lines, fields[2], "y"));
    }
    if (mesh.x.size() != points)
        lines.fail(
            fmt::format("the file ends after {} points, but its first line declares {}; get the whole file",
                        mesh.x.size(), points));
    input.finish();
}

void read_triangles(const std::filesystem::path& path, MeshFile& mesh) {
    InputFile file(path);
    Input input(file);
    LineReader lines(input);
    readers::Fields fields = read_header(lines, 1, expected_triangles);
    const EdgeId triangles = count_of(lines, fields[0], "number of triangles");
    if (fields.size() > 1 && fields[1] != "3")
        lines.fail(
            fmt::format("the triangles have {} nodes each; expected 3: those of second order are not read",
                        shown(fields[1])));
    if (triangles == 0) lines.fail("the file declares no triangles; expected some");
    const auto points = static_cast<std::int64_t>(mesh.x.size());
    while (next_fields(lines, '#', fields)) {
        if (mesh.lines.size() == triangles)
            lines.fail(
                fmt::format("found another triangle after the {} that the first line declares", triangles));
        if (fields.size() < 4)
            lines.fail(fmt::format("found {} numbers, expected a triangle: its number and three corners",
                                   fields.size()));
        const auto number =
            parse_as<std::int64_t>(lines, fields[0], "the triangle's number", "a whole number");
        const auto expected = static_cast<std::int64_t>(mesh.lines.size()) + mesh.first;
        if (number != expected)
            lines.fail(
                fmt::format("the triangle has the number {}; expected {}: triangles must be in order, "
                            "numbered like the points",
                            number, expected));
        for (std::size_t i = 1; i <= 3; ++i) {
            const auto corner =
                parse_as<std::int64_t>(lines, fields[i], "corner", "the whole number of a point") -
                mesh.first;
            if (corner < 0 || corner >= points)
                lines.fail(fmt::format("corner {} is not a point; expected {} to {}", shown(fields[i]),
                                       mesh.first, points + mesh.first - 1));
            mesh.corners.push_back(static_cast<std::int32_t>(corner));
        }
        mesh.lines.push_back(lines.number());
    }
    if (mesh.lines.size() != triangles)
        lines.fail(fmt::format(
            "the file ends after {} triangles, but its first line declares {}; get the whole file",
            mesh.lines.size(), triangles));
    input.finish();
}

/// Writes a line of text.
template <class... Arguments>
void write_line(OutputFile& file, fmt::format_string<Arguments...> format, const Arguments&... arguments) {
    file.write(fmt::vformat(format, fmt::make_format_args(arguments...)) + '\n');
}

}  // namespace

bool names_mesh(const std::filesystem::path& path) {
    return path.extension() == ".node" || path.extension() == ".ele";
}

std::pair<std::filesystem::path, std::filesystem::path> mesh_paths(const std::filesystem::path& path) {
    std::filesystem::path node = path, ele = path;
    return {node.replace_extension(".node"), ele.replace_extension(".ele")};
}

MeshFile read_mesh(const std::filesystem::path& path) {
    const auto [node, ele] = mesh_paths(path);
    MeshFile mesh;
    read_points(node, mesh);
    read_triangles(ele, mesh);
    return mesh;
}

std::string mesh_hash(const MeshFile& mesh) {
    ContentHash hash;
    hash.add(std::span<const double>(mesh.x));
    hash.add(std::span<const double>(mesh.y));
    hash.add(std::span<const std::int32_t>(mesh.corners));
    return hash.hex();
}

void write_mesh(const std::filesystem::path& path, const MeshFile& mesh, const std::string& comment) {
    const auto [node, ele] = mesh_paths(path);
    OutputFile points(node.string()), triangles(ele.string());
    write_line(points, "{} 2 0 0", mesh.x.size());
    write_line(points, "# {}", comment);
    for (std::size_t i = 0; i < mesh.x.size(); ++i)
        write_line(points, "{} {} {}", i + static_cast<std::size_t>(mesh.first), mesh.x[i], mesh.y[i]);
    write_line(triangles, "{} 3 0", mesh.corners.size() / 3);
    write_line(triangles, "# {}", comment);
    for (std::size_t i = 0; i < mesh.corners.size(); i += 3)
        write_line(triangles, "{} {} {} {}", i / 3 + static_cast<std::size_t>(mesh.first),
                   mesh.corners[i] + mesh.first, mesh.corners[i + 1] + mesh.first,
                   mesh.corners[i + 2] + mesh.first);
    points.commit();
    triangles.commit();
}

}  // namespace lockstep
