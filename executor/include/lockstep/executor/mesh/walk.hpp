// The walk around a cavity, i.e. around the triangles whose circumcircles contain a new point. Each corner of
// these triangles lies on the border of the cavity, so the triangles form a tree. A walk along all their
// half-edges, which turns around corners, therefore visits the border in order and returns to its start. It
// needs no stack and no list, however large the cavity is.
#pragma once

#include "lockstep/executor/mesh/mesh.hpp"

namespace lockstep::mesh {

/// The arrays of the mesh, and the rule for bad triangles.
struct View {
    Point* points;
    Triangle* triangles;
    State* states;
    Rule rule;
};

/// A position of the walk: the edge from `from` to `to` of triangle at / 4, which is in the cavity.
struct WalkPosition {
    /// half-edge of this position
    std::int32_t at;
    std::int32_t from, to, apex;
    Point a, b, c;                  ///< coordinates of from, to and apex
    std::int32_t twin, next, last;  ///< twins of this edge, of the next one, and of the one after it

    LOCKSTEP_HD std::int32_t triangle() const { return at >> 2; }
    LOCKSTEP_HD void turn() {
        const std::int32_t corner = from, half = twin;
        const Point p = a;
        from = to, to = apex, apex = corner;
        a = b, b = c, c = p;
        twin = next, next = last, last = half;
        at = (at & 3) == 2 ? at - 2 : at + 1;
    }
};

LOCKSTEP_HD std::int32_t pick(const std::int32_t (&of)[3], std::int32_t i) {
    return i == 0 ? of[0] : i == 1 ? of[1] : of[2];
}
LOCKSTEP_HD std::int32_t after(std::int32_t i) { return i == 2 ? 0 : i + 1; }

/// Returns the position at half-edge `at` of triangle `t`.
LOCKSTEP_HD WalkPosition place_of(const View& mesh, const Triangle& t, std::int32_t at) {
    const std::int32_t i = at & 3, j = after(i), k = after(j);
    WalkPosition p;
    p.at = at;
    p.apex = pick(t.corner, i), p.from = pick(t.corner, j), p.to = pick(t.corner, k);
    p.a = mesh.points[p.from], p.b = mesh.points[p.to], p.c = mesh.points[p.apex];
    p.twin = pick(t.twin, i), p.next = pick(t.twin, j), p.last = pick(t.twin, k);
    return p;
}

/// Walks around a cavity, beginning at half-edge `start`. Calls enter(triangle, mark) whenever it enters a
/// triangle of the cavity, at least once for each triangle. Calls border(place, mark of the triangle outside)
/// for each edge of the border in counter-clockwise order. Both return true to continue. Returns whether the
/// walk was completed.
template <class Enter, class Border>
LOCKSTEP_HD bool walk(const View& mesh, std::int32_t start, Point point, Enter enter, Border border) {
    const Triangle first = mesh.triangles[start >> 2];
    WalkPosition here = place_of(mesh, first, start);
    if (!enter(here.triangle(), first.mark)) return false;
    do {
        std::uint64_t mark = 0;
        if (here.twin != none) {
            const Triangle other = mesh.triangles[here.twin >> 2];
            const std::int32_t i = here.twin & 3, j = after(i), k = after(j), corner = pick(other.corner, i);
            const Point beyond = mesh.points[corner];
            if (in_circle(here.b, here.a, beyond, point)) {
                // Cross to the other triangle, to its edge that leads from the same corner.
                const std::int32_t crossed = here.at;
                here.at = (here.twin & ~3) | j;
                here.apex = here.to, here.c = here.b;
                here.to = corner, here.b = beyond;
                here.twin = pick(other.twin, j), here.next = pick(other.twin, k), here.last = crossed;
                if (!enter(here.triangle(), other.mark)) return false;
                continue;
            }
            mark = other.mark;
        }
        if (!border(here, mark)) return false;
        here.turn();
    } while (here.at != start);
    return true;
}

/// Returns the segment of the boundary beyond which a circumcentre outside the grid lies, or `none` if it is
/// not found. Because of rounding, the result may be a neighbouring segment, which serves as well.
LOCKSTEP_HD std::int32_t segment_towards(const View& mesh, WalkPosition here, Centre centre) {
    const double x = here.a.x + centre.x, y = here.a.y + centre.y;
    const auto behind = [&](Point a, Point b) {
        const Vector u = from_to(a, b);
        return fma(static_cast<double>(u.x), y - a.y, -(static_cast<double>(u.y) * (x - a.x))) < 0;
    };
    bool inside = false;  // whether the current edge is the one that was crossed last
    for (int steps = 0; steps < 1 << 20; ++steps) {
        int turns = 0;
        for (; turns < 3 && ((inside && turns == 0) || !behind(here.a, here.b)); ++turns) here.turn();
        if (turns == 3) return none;
        if (here.twin == none) return here.at;
        here = place_of(mesh, mesh.triangles[here.twin >> 2], here.twin);
        inside = true;
    }
    return none;
}

}  // namespace lockstep::mesh
