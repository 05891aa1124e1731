// Readers of meshes as graphs. The edges are the sides of the faces of a Wavefront mesh (.obj), or of the
// triangles of a Triangle mesh (.ele), each once.
#include <fmt/format.h>

#include <algorithm>

#include "readers.hpp"
#include "words.hpp"

namespace lockstep::readers {

namespace {

/// Collects the sides of faces. A side of two neighbouring faces is added twice.
class Sides {
public:
    explicit Sides(MemoryBudget& budget) : edges_(budget, false) {}
    void add(VertexId a, VertexId b) { edges_.push({std::min(a, b), std::max(a, b), 1}); }
    /// Returns the distinct sides, in ascending order.
    std::vector<Triple> take() {
        std::vector<Triple> all = edges_.take();
        const auto ends = [](const Triple& t) { return std::pair(t.row, t.col); };
        std::sort(all.begin(), all.end(),
                  [&](const Triple& a, const Triple& b) { return ends(a) < ends(b); });
        all.erase(std::unique(all.begin(), all.end(),
                              [&](const Triple& a, const Triple& b) { return ends(a) == ends(b); }),
                  all.end());
        return all;
    }

private:
    EdgeList edges_;
};

/// Returns the index of the point at a corner of a face, given as "7", "7/1" or "7//3". Positive numbers
/// count from 1; negative numbers count back from the last point so far.
VertexId corner_of(const Lines& lines, std::string_view token, std::size_t points) {
    const auto id = number<std::int64_t>(token.substr(0, token.find('/')));
    const auto count = static_cast<std::int64_t>(points);
    if (!id || *id == 0 || *id > count || *id < -count)
        lines.fail(fmt::format("corner {} is not a point; {} points precede it, numbered from 1",
                               shown(token), points));
    return static_cast<VertexId>(*id > 0 ? *id - 1 : count + *id);
}

}  // namespace

ParsedFile read_obj(const Job& job) {
    LineReader lines(job.input);
    Sides sides(job.budget);
    std::size_t points = 0;
    std::vector<VertexId> corners;
    for (std::string_view line; lines.next(line);) {
        line = line.substr(0, line.find('#'));
        const std::string_view word = next_token(line);
        points += word == "v";
        if (word != "f" && word != "l") continue;
        corners.clear();
        for (auto token = next_token(line); !token.empty(); token = next_token(line))
            corners.push_back(corner_of(lines, token, points));
        if (corners.size() < 2) lines.fail("a face has fewer than two corners");
        for (std::size_t i = 1; i < corners.size(); ++i) sides.add(corners[i - 1], corners[i]);
        if (word == "f" && corners.size() > 2) sides.add(corners.back(), corners.front());
    }
    if (points == 0) lines.fail("the file ends without a point; expected lines \"v x y z\"");
    if (points > max_vertices) lines.fail(fmt::format("{} points are too many", points));
    job.budget.charge(2 * MemoryBudget::vertex_bytes * static_cast<double>(points));
    return square_graph(sides.take(), {1, static_cast<VertexId>(points)}, lines.number());
}

ParsedFile read_triangles(const Job& job) {
    LineReader lines(job.input);
    Sides sides(job.budget);
    Fields fields;
    EdgeId declared = 0, found = 0;
    std::int64_t first = 0, last = -1;
    if (next_fields(lines, '#', fields)) declared = parse_count(lines, fields[0], "number of triangles");
    while (next_fields(lines, '#', fields)) {
        if (fields.size() < 4)
            lines.fail(fmt::format("found {} numbers, expected a triangle: its number and three corners",
                                   fields.size()));
        VertexId corner[3];
        for (std::size_t i = 0; i < 4; ++i) {
            const auto id = number<std::int64_t>(fields[i]);
            if (!id || *id < 0 || *id >= std::int64_t{max_vertices})
                lines.fail(
                    fmt::format("{} is not the number of a {}", shown(fields[i]), i ? "point" : "triangle"));
            if (i == 0 && found == 0) first = *id;
            if (i == 0) continue;
            if (*id < first)
                lines.fail(fmt::format("corner {} is not a point; points are numbered from {}", *id, first));
            corner[i - 1] = static_cast<VertexId>(*id - first), last = std::max(last, *id - first);
        }
        for (std::size_t i = 0; i < 3; ++i) sides.add(corner[i], corner[(i + 1) % 3]);
        ++found;
    }
    if (found != declared || found == 0)
        lines.fail(fmt::format(
            "the file ends after {} triangles, but its first line declares {}; get the whole file", found,
            declared));
    job.budget.charge(2 * MemoryBudget::vertex_bytes * static_cast<double>(last + 1));
    return square_graph(sides.take(), {first, static_cast<VertexId>(last + 1)}, lines.number());
}

}  // namespace lockstep::readers
