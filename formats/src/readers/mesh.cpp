// Reading and writing of triangle meshes in Triangle's format (.node and .ele), see mesh_file.hpp.
#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "input.hpp"
#include "lockstep/formats/atomic_file.hpp"
#include "lockstep/formats/hash.hpp"
#include "lockstep/formats/input_file.hpp"
#include "lockstep/formats/mesh_file.hpp"
#include "text.hpp"

namespace lockstep {

namespace {

using namespace readers;

/// The lines of a .node or .ele file, split into fields, without blank lines and comments.
class MeshLines {
public:
    explicit MeshLines(const std::filesystem::path& path) : file_(path), input_(file_), lines_(input_) {}

    bool next(Fields& fields) {
        for (std::string_view line; lines_.next(line);) {
            split_blanks(line.substr(0, line.find('#')), fields);
            if (fields.count > 0) return true;
        }
        return false;
    }
    /// Returns the fields of the first line. Throws FormatError if it has fewer than `least` fields or more
    /// than four.
    Fields header(std::size_t least, const char* expected) {
        Fields fields;
        if (!next(fields)) lines_.fail(fmt::format("the file has no first line; expected {}", expected));
        if (fields.count < least || fields.count > 4)
            lines_.fail(fmt::format("the first line has {} numbers; expected {}", fields.count, expected));
        return fields;
    }
    template <class T>
    T parse(std::string_view token, const char* name, const char* expected) const {
        const auto value = number<T>(token.starts_with('+') ? token.substr(1) : token);
        if (!value) lines_.fail(fmt::format("{} {} is not {}", name, shown(token), expected));
        return *value;
    }
    double coordinate(std::string_view token, const char* name) const {
        const auto value = parse<double>(token, name, "a number such as 3.5 or 1e-3");
        if (!(std::abs(value) < 1e150))
            lines_.fail(fmt::format("{} {} is too large; expected a number below 1e150", name, shown(token)));
        return value;
    }
    void finish() { input_.finish(); }
    const Lines& lines() const { return lines_; }
    [[noreturn]] void fail(const std::string& message) const { lines_.fail(message); }

private:
    InputFile file_;
    Input input_;
    LineReader lines_;
};

constexpr const char* expected_points = "\"POINTS 2 ATTRIBUTES MARKERS\"";
constexpr const char* expected_triangles = "\"TRIANGLES 3 ATTRIBUTES\"";
constexpr std::size_t max_mesh_points = std::size_t{1} << 28;

EdgeId count_of(const MeshLines& content, std::string_view token, const char* name) {
    const EdgeId count = parse_count(content.lines(), token, name);
    if (count > max_mesh_points)
        content.fail(fmt::format("the {} is {}; expected at most {}", name, count, max_mesh_points));
    return count;
}

void read_points(const std::filesystem::path& path, MeshFile& mesh) {
    MeshLines content(path);
    Fields fields = content.header(2, expected_points);
    const EdgeId points = count_of(content, fields.at[0], "number of points");
    if (fields.at[1] != "2")
        content.fail(fmt::format("the points have {} coordinates; expected 2: only planar meshes are read",
                                 shown(fields.at[1])));
    if (points == 0)
        content.fail(
            "the file declares no points: they may be in a .poly file, which is not read; let Triangle write "
            "a mesh (NAME.1.node and NAME.1.ele)");
    while (content.next(fields)) {
        if (mesh.x.size() == points)
            content.fail(
                fmt::format("found another point after the {} that the first line declares", points));
        if (fields.count < 3)
            content.fail(
                fmt::format("found {} numbers, expected a point: its number, x and y", fields.count));
        const auto number = content.parse<std::int64_t>(fields.at[0], "the point's number", "a whole number");
        if (mesh.x.empty()) {
            if (number != 0 && number != 1)
                content.fail(fmt::format("the first point has the number {}; expected 0 or 1", number));
            mesh.first = static_cast<int>(number);
        }
        const auto expected = static_cast<std::int64_t>(mesh.x.size()) + mesh.first;
        if (number != expected)
            content.fail(fmt::format("the point has the number {}; expected {}: points must be in order",
                                     number, expected));
        mesh.x.push_back(content.coordinate(fields.at[1], "x"));
        mesh.y.push_back(content.coordinate(fields.at[2], "y"));
    }
    if (mesh.x.size() != points)
        content.fail(
            fmt::format("the file ends after {} points, but its first line declares {}; get the whole file",
                        mesh.x.size(), points));
    content.finish();
}

void read_triangles(const std::filesystem::path& path, MeshFile& mesh) {
    MeshLines content(path);
    Fields fields = content.header(1, expected_triangles);
    const EdgeId triangles = count_of(content, fields.at[0], "number of triangles");
    if (fields.count > 1 && fields.at[1] != "3")
        content.fail(
            fmt::format("the triangles have {} nodes each; expected 3: those of second order are not read",
                        shown(fields.at[1])));
    if (triangles == 0) content.fail("the file declares no triangles; expected some");
    const auto points = static_cast<std::int64_t>(mesh.x.size());
    while (content.next(fields)) {
        if (mesh.lines.size() == triangles)
            content.fail(
                fmt::format("found another triangle after the {} that the first line declares", triangles));
        if (fields.count < 4)
            content.fail(fmt::format("found {} numbers, expected a triangle: its number and three corners",
                                     fields.count));
        const auto number =
            content.parse<std::int64_t>(fields.at[0], "the triangle's number", "a whole number");
        const auto expected = static_cast<std::int64_t>(mesh.lines.size()) + mesh.first;
        if (number != expected)
            content.fail(
                fmt::format("the triangle has the number {}; expected {}: triangles must be in order, "
                            "numbered like the points",
                            number, expected));
        for (std::size_t i = 1; i <= 3; ++i) {
            const auto corner =
                content.parse<std::int64_t>(fields.at[i], "corner", "the whole number of a point") -
                mesh.first;
            if (corner < 0 || corner >= points)
                content.fail(fmt::format("corner {} is not a point; expected {} to {}", shown(fields.at[i]),
                                         mesh.first, points + mesh.first - 1));
            mesh.corners.push_back(static_cast<std::int32_t>(corner));
        }
        mesh.lines.push_back(content.lines().number());
    }
    if (mesh.lines.size() != triangles)
        content.fail(fmt::format(
            "the file ends after {} triangles, but its first line declares {}; get the whole file",
            mesh.lines.size(), triangles));
    content.finish();
}

/// Writes lines of text to an AtomicFile, with a buffer of 1 MiB.
class MeshWriter {
public:
    explicit MeshWriter(const std::filesystem::path& path) : path_(path), file_(path) {}
    template <class... Arguments>
    void line(fmt::format_string<Arguments...> format, const Arguments&... arguments) {
        fmt::vformat_to(std::back_inserter(text_), format, fmt::make_format_args(arguments...));
        text_.push_back('\n');
        if (text_.size() >= std::size_t{1} << 20) flush();
    }
    void commit() {
        flush();
        file_.commit();
    }

private:
    void flush() {
        if (const int code = file_.write(written_, text_.data(), text_.size()))
            throw OutputError(path_.string(), std::string("cannot be written: ") + std::strerror(code));
        written_ += text_.size();
        text_.clear();
    }
    std::filesystem::path path_;
    AtomicFile file_;
    fmt::memory_buffer text_;
    std::uint64_t written_ = 0;
};

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
    MeshWriter points(node), triangles(ele);
    points.line("{} 2 0 0", mesh.x.size());
    points.line("# {}", comment);
    for (std::size_t i = 0; i < mesh.x.size(); ++i)
        points.line("{} {} {}", i + static_cast<std::size_t>(mesh.first), mesh.x[i], mesh.y[i]);
    triangles.line("{} 3 0", mesh.corners.size() / 3);
    triangles.line("# {}", comment);
    for (std::size_t i = 0; i < mesh.corners.size(); i += 3)
        triangles.line("{} {} {} {}", i / 3 + static_cast<std::size_t>(mesh.first),
                       mesh.corners[i] + mesh.first, mesh.corners[i + 1] + mesh.first,
                       mesh.corners[i + 2] + mesh.first);
    points.commit();
    triangles.commit();
}

}  // namespace lockstep
