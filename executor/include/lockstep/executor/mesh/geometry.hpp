// Exact predicates for Delaunay meshes. Coordinates are 31-bit integers, so that the sign of every
// determinant is computed without rounding, on CPU and GPU alike: orientations fit into 64 bits, the incircle
// determinant into 128.
#pragma once

#include <cmath>
#include <cstdint>

#include "lockstep/executor/lanes.hpp"

namespace lockstep::mesh {

/// A point of the grid: 0 <= x, y < 2^31.
struct Point {
    std::int32_t x = 0, y = 0;
    friend bool operator==(const Point&, const Point&) = default;
};
inline constexpr double grid_end = 2147483648.0;

struct Vector {
    std::int64_t x, y;
};
LOCKSTEP_HD Vector from_to(Point a, Point b) { return {std::int64_t{b.x} - a.x, std::int64_t{b.y} - a.y}; }
LOCKSTEP_HD std::int64_t cross(Vector u, Vector v) { return u.x * v.y - u.y * v.x; }
LOCKSTEP_HD std::int64_t dot(Vector u, Vector v) { return u.x * v.x + u.y * v.y; }
LOCKSTEP_HD std::int64_t square(Vector u) { return dot(u, u); }  ///< squared length, below 2^63

/// Returns twice the area of the triangle, positive if its corners are in counter-clockwise order.
LOCKSTEP_HD std::int64_t orientation(Point a, Point b, Point c) {
    return cross(from_to(a, b), from_to(a, c));
}

/// Returns whether d lies strictly inside the circle through a, b and c, which must be in counter-clockwise
/// order. Each product is below 2^125, because a cross product is at most twice an area of the grid, 2^62.
LOCKSTEP_HD bool in_circle(Point a, Point b, Point c, Point d) {
    const Vector u = from_to(d, a), v = from_to(d, b), w = from_to(d, c);
    const auto product = [](std::int64_t x, std::int64_t y) { return static_cast<__int128>(x) * y; };
    return product(square(u), cross(v, w)) + product(square(v), cross(w, u)) +
               product(square(w), cross(u, v)) >
           0;
}

/// Returns whether the segment a b, seen from p, has an angle of at least 90 degrees, i.e. whether p lies
/// inside or on the circle with diameter a b.
LOCKSTEP_HD bool encroaches(Point a, Point b, Point p) { return dot(from_to(p, a), from_to(p, b)) <= 0; }

LOCKSTEP_HD Point midpoint(Point a, Point b) {
    return {static_cast<std::int32_t>((std::int64_t{a.x} + b.x) >> 1),
            static_cast<std::int32_t>((std::int64_t{a.y} + b.y) >> 1)};
}

/// The circumcentre of a triangle, relative to its first corner. Only correctly rounded operations are used,
/// so that all devices get the same result.
struct Centre {
    double x, y;
};
LOCKSTEP_HD double rounded(__int128 value) {
    const auto magnitude = static_cast<unsigned __int128>(value < 0 ? -value : value);
    // The first product is exact, so a compiler may fuse it with the sum without changing the result.
    const double sum = static_cast<double>(static_cast<std::uint64_t>(magnitude >> 64)) * 0x1p64 +
                       static_cast<double>(static_cast<std::uint64_t>(magnitude));
    return value < 0 ? -sum : sum;
}
LOCKSTEP_HD Centre circumcentre(Point a, Point b, Point c) {
    const Vector u = from_to(a, b), v = from_to(a, c);
    const auto numerator = [&](std::int64_t p, std::int64_t q) {
        return rounded(static_cast<__int128>(square(u)) * p - static_cast<__int128>(square(v)) * q);
    };
    const double area = 2 * static_cast<double>(cross(u, v));
    return {numerator(v.y, u.y) / area, -numerator(v.x, u.x) / area};
}
/// Rounds a centre to the nearest point of the grid. Returns false if the centre is outside the grid.
LOCKSTEP_HD bool on_grid(Point a, Centre centre, Point& nearest) {
    const double x = a.x + centre.x, y = a.y + centre.y;
    if (!(x >= 0 && x < grid_end - 1 && y >= 0 && y < grid_end - 1)) return false;
    nearest = {static_cast<std::int32_t>(rint(x)), static_cast<std::int32_t>(rint(y))};
    return true;
}

/// The criteria for bad triangles, i.e. triangles to be refined.
struct Rule {
    double cos2 = 0.75;  ///< squared cosine of the smallest allowed angle
    /// Maximum height of a new point above the shortest edge of its triangle, as a multiple of the edge's
    /// length.
    double height = 1.77;
    std::int64_t shortest2 = 0;  ///< squared minimum length of edges; shorter edges do not cause refinement
};
/// Returns the index of the corner opposite to the shortest edge, i.e. of the corner with the smallest angle.
LOCKSTEP_HD int narrowest(const Point (&corner)[3]) {
    const std::int64_t p = square(from_to(corner[1], corner[2])), q = square(from_to(corner[2], corner[0])),
                       r = square(from_to(corner[0], corner[1]));
    return q < p ? (r < q ? 2 : 1) : (r < p ? 2 : 0);
}
/// Returns the desired new point for a bad triangle a, b, c whose shortest edge is a b, relative to a. This
/// is the circumcentre or, if nearer, the point on the bisector of the shortest edge that would just make a
/// good triangle with this edge (the off-centre; Üngör 2004). Both are at least as far from all corners of
/// the mesh as the length of the edge.
LOCKSTEP_HD Centre wanted_centre(const Rule& rule, Point a, Point b, Point c) {
    const Centre centre = circumcentre(a, b, c);
    const Vector edge = from_to(a, b);
    const auto x = static_cast<double>(edge.x), y = static_cast<double>(edge.y);
    // Height of the centre above the edge, times the length of the edge.
    const double above = fma(centre.y - y / 2, x, -((centre.x - x / 2) * y));
    if (!(above > rule.height * static_cast<double>(square(edge)))) return centre;
    return {fma(-rule.height, y, x / 2), fma(rule.height, x, y / 2)};
}

/// Returns whether the smallest angle of a triangle is too small. The triangle is exempt if the edge opposite
/// to this angle is as short as allowed, or if the angle lies between two segments of the boundary, which
/// refinement cannot change. `boundary[i]` is true if the edge opposite to corner i is such a segment.
LOCKSTEP_HD bool is_bad(const Rule& rule, const Point (&corner)[3], const bool (&boundary)[3]) {
    const auto bad = [&](int i, int j, int k) {
        const Vector u = from_to(corner[i], corner[j]), v = from_to(corner[i], corner[k]);
        if (square(from_to(corner[j], corner[k])) < rule.shortest2 || (boundary[j] && boundary[k]))
            return false;
        const auto product = static_cast<double>(dot(u, v));
        return product * product >
               rule.cos2 * static_cast<double>(square(u)) * static_cast<double>(square(v));
    };
    const int least = narrowest(corner);
    return least == 0 ? bad(0, 1, 2) : least == 1 ? bad(1, 2, 0) : bad(2, 0, 1);
}

}  // namespace lockstep::mesh
