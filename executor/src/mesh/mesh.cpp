#include "lockstep/executor/mesh/mesh.hpp"

#include <algorithm>
#include <numbers>

#include "lockstep/executor/mesh/walk.hpp"
#include "lockstep/schedules/grouping.hpp"

namespace lockstep::mesh {

namespace {

struct Side {
    std::int32_t other, half;  ///< larger endpoint of the edge; index of the half-edge
};

/// Finds the twins of all half-edges. Half-edges are first grouped by the smaller endpoint.
void link(Mesh& mesh) {
    const auto ends = [&](std::int32_t half) {
        const Triangle& t = mesh.triangles[static_cast<std::size_t>(half >> 2)];
        const std::int32_t j = after(half & 3);
        return std::pair(t.corner[j], t.corner[after(j)]);
    };
    const EdgeId halves = 3 * mesh.triangles.size();
    std::vector<Side> sides(halves);
    const auto half_of = [](EdgeId i) { return static_cast<std::int32_t>(i / 3 * 4 + i % 3); };
    const auto low_of = [&](EdgeId i) {
        const auto [from, to] = ends(half_of(i));
        return static_cast<EdgeId>(std::min(from, to));
    };
    const auto side_of = [&](EdgeId i) {
        const auto [from, to] = ends(half_of(i));
        return Side{std::max(from, to), half_of(i)};
    };
    const std::vector<EdgeId> begin =
        radix_partition(halves, mesh.points.size(), low_of, side_of, sides.data());
    for (std::size_t v = 0; v < mesh.points.size(); ++v) {
        const auto first = sides.begin() + static_cast<std::ptrdiff_t>(begin[v]),
                   end = sides.begin() + static_cast<std::ptrdiff_t>(begin[v + 1]);
        std::sort(first, end,
                  [](Side a, Side b) { return std::pair(a.other, a.half) < std::pair(b.other, b.half); });
        for (auto s = first; s != end;) {
            const auto same = std::find_if(s, end, [&](Side o) { return o.other != s->other; });
            if (same - s > 2)
                throw MeshError(static_cast<EdgeId>((same - 1)->half >> 2),
                                "shares an edge with two other triangles; a planar mesh has at most two "
                                "triangles per edge");
            if (same - s == 2) {
                const std::int32_t a = s->half, b = (s + 1)->half;
                if (ends(a).first == ends(b).first)
                    throw MeshError(static_cast<EdgeId>(b >> 2),
                                    "lies on the same side of an edge as another triangle: the two triangles "
                                    "overlap or are identical");
                mesh.triangles[static_cast<std::size_t>(a >> 2)].twin[a & 3] = b;
                mesh.triangles[static_cast<std::size_t>(b >> 2)].twin[b & 3] = a;
            }
            s = same;
        }
    }
}

/// The sector that a triangle occupies at one of its corners: the directions between `from` and `to`,
/// counter-clockwise.
struct Sector {
    std::int32_t corner;
    EdgeId triangle;
    Vector from, to;
};

constexpr const char* overlaps = "overlaps another one at a corner that they share";

/// Throws MeshError if triangles overlap at a corner that they do not surround completely. If the sectors are
/// sorted by their first direction, each must end before the next one begins.
void refuse_overlaps(std::vector<Sector> open) {
    const auto upper = [](Vector v) { return v.y > 0 || (v.y == 0 && v.x > 0); };
    std::sort(open.begin(), open.end(), [&](const Sector& a, const Sector& b) {
        if (a.corner != b.corner) return a.corner < b.corner;
        if (upper(a.from) != upper(b.from)) return upper(a.from);
        const std::int64_t turn = cross(a.from, b.from);
        return turn != 0 ? turn > 0 : a.triangle < b.triangle;
    });
    for (std::size_t first = 0, end; first < open.size(); first = end) {
        for (end = first; end < open.size() && open[end].corner == open[first].corner;) ++end;
        for (std::size_t i = first; i < end && end - first > 1; ++i) {
            const Sector &a = open[i], &next = open[i + 1 < end ? i + 1 : first];
            if (cross(a.from, next.from) >= 0 && cross(next.from, a.to) > 0)
                throw MeshError(std::max(a.triangle, next.triangle), overlaps);
        }
    }
}

/// Throws MeshError if triangles overlap at a corner: each direction from the corner may belong to at most
/// one of them. If the triangles surround the corner completely, testing one direction (to the right)
/// suffices, because it occurs twice if they surround the corner twice.
void refuse_overlaps(const Mesh& mesh) {
    std::vector<bool> met(mesh.points.size()), is_open(mesh.points.size());
    const auto for_each = [&](auto use) {
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            const Triangle& of = mesh.triangles[t];
            for (int i = 0; i < 3; ++i)
                use(t, of, of.corner[i], of.corner[(i + 1) % 3], of.corner[(i + 2) % 3]);
        }
    };
    const auto at = [&](std::int32_t v) { return mesh.points[static_cast<std::size_t>(v)]; };
    for_each([&](EdgeId t, const Triangle& of, std::int32_t v, std::int32_t next, std::int32_t last) {
        const auto corner = static_cast<std::size_t>(v);
        for (int i = 0; i < 3; ++i) {
            if (of.corner[i] != v && of.twin[i] == none) is_open[corner] = true;
        }
        if (at(next).y > at(v).y || at(last).y <= at(v).y) return;
        if (met[corner]) throw MeshError(t, overlaps);
        met[corner] = true;
    });
    std::vector<Sector> open;
    for_each([&](EdgeId t, const Triangle&, std::int32_t v, std::int32_t next, std::int32_t last) {
        if (is_open[static_cast<std::size_t>(v)])
            open.push_back({v, t, from_to(at(v), at(next)), from_to(at(v), at(last))});
    });
    refuse_overlaps(std::move(open));
}

}  // namespace

Mesh make_mesh(std::vector<Point> points, std::span<const std::int32_t> corners) {
    if (corners.size() / 3 > max_triangles / 2)
        throw Error(Failure::bad_input, "too many triangles: " + std::to_string(corners.size() / 3) +
                                            ", at most " + std::to_string(max_triangles / 2));
    Mesh mesh{std::move(points), std::vector<Triangle>(corners.size() / 3)};
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        Triangle& made = mesh.triangles[t];
        made = {{corners[3 * t], corners[3 * t + 1], corners[3 * t + 2]}, {none, none, none}, 0};
        const auto corner = [&](int i) { return mesh.points[static_cast<std::size_t>(made.corner[i])]; };
        const std::int64_t area = orientation(corner(0), corner(1), corner(2));
        if (area == 0) throw MeshError(t, "has no area: its corners lie on one line");
        if (area < 0) std::swap(made.corner[1], made.corner[2]);
    }
    link(mesh);
    refuse_overlaps(mesh);
    flip_to_delaunay(mesh);
    return mesh;
}

EdgeId flip_to_delaunay(Mesh& mesh) {
    const View view{mesh.points.data(), mesh.triangles.data(), nullptr, {}};
    std::vector<std::int32_t> open;
    EdgeId flips = 0;
    const auto renew = [&](std::int32_t half, std::int32_t twin) {
        if (twin != none) mesh.triangles[static_cast<std::size_t>(twin >> 2)].twin[twin & 3] = half;
    };
    const auto look = [&](std::int32_t half) {
        Triangle& t = mesh.triangles[static_cast<std::size_t>(half >> 2)];
        const WalkPosition here = place_of(view, t, half);
        if (here.twin == none) return;
        Triangle& other = mesh.triangles[static_cast<std::size_t>(here.twin >> 2)];
        const WalkPosition there = place_of(view, other, here.twin);
        if (!in_circle(here.a, here.b, here.c, there.c)) return;
        const std::int32_t a = here.triangle() << 2, b = there.triangle() << 2;
        t = {{here.apex, here.from, there.apex}, {there.next, b | 1, here.last}, 0};
        other = {{there.apex, here.to, here.apex}, {here.next, a | 1, there.last}, 0};
        renew(a, there.next), renew(a | 2, here.last), renew(b, here.next), renew(b | 2, there.last);
        for (const std::int32_t edge : {a, a | 2, b, b | 2}) open.push_back(edge);
        ++flips;
    };
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (int i = 0; i < 3; ++i) {
            look(static_cast<std::int32_t>(4 * t) + i);
            while (!open.empty()) {
                const std::int32_t edge = open.back();
                open.pop_back();
                look(edge);
            }
        }
    }
    return flips;
}

double smallest_feature(const Mesh& mesh) {
    double smallest = grid_end;
    for (const Triangle& t : mesh.triangles) {
        const auto corner = [&](int i) { return mesh.points[static_cast<std::size_t>(t.corner[i % 3])]; };
        for (int i = 0; i < 3; ++i) {
            const double length =
                std::sqrt(static_cast<double>(square(from_to(corner(i + 1), corner(i + 2)))));
            smallest = std::min(smallest, length);
            if (t.twin[i] == none)
                smallest = std::min(
                    smallest,
                    static_cast<double>(orientation(corner(i), corner(i + 1), corner(i + 2))) / length);
        }
    }
    return smallest;
}

Rule rule_of(const Mesh& mesh, double degrees, double shortest) {
    const double angle = degrees * std::numbers::pi / 180;
    const double floor = std::clamp(shortest > 0 ? shortest : smallest_feature(mesh) / 4, 4.0, 0x1p30);
    // The height is a little less than the height that just meets the angle; otherwise rounding could make
    // the new triangle bad again.
    const double height = degrees > 0 ? std::min(0.475 / std::tan(angle / 2), 1e3) : 1e3;
    return {std::cos(angle) * std::cos(angle), height, static_cast<std::int64_t>(floor * floor)};
}

EdgeId small_angles(const Mesh& mesh, Rule rule) {
    constexpr bool inside[3]{};
    rule.shortest2 = 0;
    return static_cast<EdgeId>(std::ranges::count_if(mesh.triangles, [&](const Triangle& t) {
        const auto point = [&](int i) { return mesh.points[static_cast<std::size_t>(t.corner[i])]; };
        return is_bad(rule, {point(0), point(1), point(2)}, inside);
    }));
}

__int128 doubled_area(const Mesh& mesh) {
    __int128 area = 0;
    for (const Triangle& t : mesh.triangles)
        area += orientation(mesh.points[static_cast<std::size_t>(t.corner[0])],
                            mesh.points[static_cast<std::size_t>(t.corner[1])],
                            mesh.points[static_cast<std::size_t>(t.corner[2])]);
    return area;
}

}  // namespace lockstep::mesh
