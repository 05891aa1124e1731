// Inserts the new point for one bad triangle of a Delaunay mesh (Ruppert 1995; Bowyer and Watson 1981). The
// cavity consists of the triangles whose circumcircles contain the point (walk.hpp). The same code runs on
// CPU and GPU, in three steps:
//     decide   chooses the new point: the circumcentre, or the middle of a segment that it encroaches upon
//     locks    claims or checks the locks of the cavity's triangles, and of the ring of triangles around them
//              (worklist/exclusive.hpp)
//     refine   replaces the cavity's triangles by a fan of triangles around the point
// Each step walks around the cavity, unless `decide` has stored the cavity in a list for the other steps.
//
// Two cavities do not conflict if they share only corners or ring triangles. If several such points are
// inserted, any order gives the same mesh, which is Delaunay (Spielman, Teng and Üngör 2002).
#pragma once

#include "lockstep/executor/mesh/walk.hpp"
#include "lockstep/executor/worklist/exclusive.hpp"

namespace lockstep::mesh {

/// The point to be inserted for a bad triangle in a round, and its cavity.
struct PointInsertion {
    Point point;  ///< coordinates of the point to be inserted
    /// half-edge at which the walk around the cavity begins; if a segment is split: this segment
    std::int32_t start;
    std::int32_t border = 0;  ///< number of triangles around the new point; 0: no point can be inserted
    bool segment = false;     ///< whether the point splits a segment of the boundary
    bool kept = false;        ///< whether the cavity is stored in a list

    /// Returns the number of triangles in the cavity.
    LOCKSTEP_HD std::int32_t size() const { return border - (segment ? 1 : 2); }
};

/// One edge of a cavity's border: its endpoints, the half-edge on the outer side, and the index of a
/// triangle. Before `refine` the indices are those of the cavity's triangles, in the order in which the walk
/// first enters them. After `refine` the index is that of the new triangle at this edge.
struct Spoke {
    std::int32_t from, to, twin, triangle;
};

/// Maximum number of cavities whose lists are stored between the steps, and of edges per list. This suffices
/// for 99 in 100 cavities.
inline constexpr EdgeId max_kept = EdgeId{1} << 18;
inline constexpr std::int32_t kept_list_capacity = 16;

/// A visitor of a walk that stores the list of the cavity.
struct CavityRecorder {
    Spoke* spokes;
    std::int32_t capacity, borders = 0, triangles = 0;
    bool whole = true;  ///< whether the whole list fits

    LOCKSTEP_HD void begin() { borders = triangles = 0, whole = capacity > 0; }
    LOCKSTEP_HD void enter(std::int32_t triangle) {
        if (!whole) return;
        for (std::int32_t i = 0; i < triangles; ++i) {
            if (spokes[i].triangle == triangle) return;
        }
        whole = triangles < capacity;
        if (whole) spokes[triangles++].triangle = triangle;
    }
    template <class WalkPosition>
    LOCKSTEP_HD void border(const WalkPosition& edge) {
        whole = whole && borders < capacity;
        if (!whole) return;
        Spoke& spoke = spokes[borders++];
        spoke.from = edge.from, spoke.to = edge.to, spoke.twin = edge.twin;
    }
};
/// A visitor of a walk that stores nothing.
struct NullVisitor {
    static constexpr bool whole = false;
    LOCKSTEP_HD void begin() {}
    LOCKSTEP_HD void enter(std::int32_t) {}
    template <class WalkPosition>
    LOCKSTEP_HD void border(const WalkPosition&) {}
};

/// Returns true if the triangles of a cavity form a tree, given the number of border edges and of triangles
/// that the walk has entered. A walk around a tree of k triangles crosses each of the k - 1 edges between
/// them twice, and has k + 2 border edges. In a planar mesh the triangles always form a tree. If parts of a
/// mesh overlap, this check prevents damage.
LOCKSTEP_HD bool is_tree(std::int32_t border, std::int32_t entered) { return entered == 2 * border - 5; }

/// Returns the insertion of the middle of a segment. It is impossible if the halves of the segment would be
/// too short.
template <class Note>
LOCKSTEP_HD PointInsertion insertion_for_segment(const View& mesh, std::int32_t segment, Note& note) {
    const WalkPosition at = place_of(mesh, mesh.triangles[segment >> 2], segment);
    PointInsertion insertion{midpoint(at.a, at.b), segment, 0, true, false};
    if (square(from_to(at.a, at.b)) / 4 < mesh.rule.shortest2 ||
        !in_circle(at.a, at.b, at.c, insertion.point))
        return insertion;
    std::int32_t border = 0, entered = 0;
    note.begin();
    const auto enter = [&](std::int32_t triangle, std::uint64_t) {
        ++entered;
        note.enter(triangle);
        return true;
    };
    const auto look = [&](const WalkPosition& edge, std::uint64_t) {
        if (edge.at == segment) return true;
        ++border;
        note.border(edge);
        return orientation(edge.a, edge.b, insertion.point) > 0;
    };
    if (walk(mesh, segment, insertion.point, enter, look) && is_tree(border + 1, entered))
        insertion.border = border;
    insertion.kept = note.whole;
    return insertion;
}

/// Returns the insertion for a bad triangle: its centre or, if the centre encroaches upon a segment, the
/// middle of this segment.
template <class Note>
LOCKSTEP_HD PointInsertion decide(const View& mesh, std::int32_t triangle, Note& note) {
    WalkPosition at = place_of(mesh, mesh.triangles[triangle], triangle << 2);
    const Point corner[3]{at.c, at.a, at.b};
    for (int turns = narrowest(corner); turns > 0; --turns) at.turn();  // a to b becomes the shortest edge
    const Centre centre = wanted_centre(mesh.rule, at.a, at.b, at.c);
    PointInsertion insertion{{}, at.at, 0, false, false};
    std::int32_t segment = none;
    if (!on_grid(at.a, centre, insertion.point)) {
        segment = segment_towards(mesh, at, centre);
    } else if (in_circle(at.a, at.b, at.c, insertion.point)) {
        std::int32_t border = 0, entered = 0;
        note.begin();
        const auto enter = [&](std::int32_t into, std::uint64_t) {
            ++entered;
            note.enter(into);
            return true;
        };
        const auto look = [&](const WalkPosition& edge, std::uint64_t) {
            ++border;
            note.border(edge);
            const bool sees = orientation(edge.a, edge.b, insertion.point) > 0;
            if (edge.twin == none && (!sees || encroaches(edge.a, edge.b, insertion.point)))
                segment = edge.at;
            return sees && segment == none;
        };
        if (walk(mesh, insertion.start, insertion.point, enter, look) && is_tree(border, entered))
            insertion.border = border;
        insertion.kept = note.whole;
    }
    return segment == none ? insertion : insertion_for_segment(mesh, segment, note);
}

/// Calls visitor.visit_exclusive() for the locks of the cavity's triangles, and visitor.visit_shared() for
/// those of the ring of triangles around it. `kept` is the stored list of the cavity, if there is one.
template <class LockVisitor>
LOCKSTEP_HD bool visit_locks(const View& mesh, const PointInsertion& insertion, const Spoke* kept,
                             LockVisitor visitor) {
    const auto lock = [&](std::int32_t triangle) { return &mesh.triangles[triangle].mark; };
    if (!insertion.kept)
        return walk(
            mesh, insertion.start, insertion.point,
            [&](std::int32_t triangle, std::uint64_t mark) {
                return visitor.visit_exclusive(lock(triangle), mark);
            },
            [&](const WalkPosition& edge, std::uint64_t mark) {
                return edge.twin == none || visitor.visit_shared(lock(edge.twin >> 2), mark);
            });
    bool all = true;
    for (std::int32_t i = 0; all && i < insertion.border; ++i) {
        const Spoke spoke = kept[i];
        if (i < insertion.size()) all = visitor.visit_exclusive(lock(spoke.triangle));
        if (spoke.twin != none) all = all && visitor.visit_shared(lock(spoke.twin >> 2));
    }
    return all;
}

/// Returns whether a triangle of the mesh is bad or fine.
LOCKSTEP_HD State judge(const View& mesh, std::int32_t triangle) {
    const Triangle t = mesh.triangles[triangle];
    const Point corner[3]{mesh.points[t.corner[0]], mesh.points[t.corner[1]], mesh.points[t.corner[2]]};
    const bool boundary[3]{t.twin[0] == none, t.twin[1] == none, t.twin[2] == none};
    return is_bad(mesh.rule, corner, boundary) ? State::bad : State::fine;
}

/// Writes the list of a cavity that was not stored to `spokes`, which has capacity for wish.border entries.
/// Clears the marks of the cavity's triangles.
LOCKSTEP_HD void list_cavity(const View& mesh, const PointInsertion& insertion, std::uint64_t key,
                             Spoke* spokes) {
    std::int32_t size = 0, triangles = 0;
    const auto enter = [&](std::int32_t triangle, std::uint64_t mark) {
        if (mark == key) {  // the walk enters the triangle for the first time
            mesh.triangles[triangle].mark = 0;
            spokes[triangles++].triangle = triangle;
        }
        return true;
    };
    const auto look = [&](const WalkPosition& edge, std::uint64_t) {
        if (insertion.segment && edge.at == insertion.start) return true;
        Spoke& spoke = spokes[size++];
        spoke.from = edge.from, spoke.to = edge.to, spoke.twin = edge.twin;
        return true;
    };
    walk(mesh, insertion.start, insertion.point, enter, look);
}

/// Replaces the triangles of a cavity by triangles between its border edges and `point`. They get the indices
/// of the old triangles, and then indices from `fresh` on, for which the mesh must have capacity. `spokes` is
/// the list of the cavity; its triangle indices become those of the new triangles.
LOCKSTEP_HD void refine(const View& mesh, const PointInsertion& insertion, std::int32_t point,
                        std::int32_t fresh, Spoke* spokes) {
    mesh.points[point] = insertion.point;
    for (std::int32_t i = insertion.size(); i < insertion.border; ++i) spokes[i].triangle = fresh++;
    std::int32_t before = spokes[insertion.border - 1].triangle;
    Spoke spoke = spokes[0];
    const std::int32_t start = spoke.triangle;
    for (std::int32_t i = 0; i < insertion.border; ++i) {
        const bool first = i == 0, last = i + 1 == insertion.border;
        Spoke next = spoke;
        if (!last) next = spokes[i + 1];
        Triangle made;
        made.corner[0] = spoke.from, made.corner[1] = spoke.to, made.corner[2] = point;
        made.twin[0] = insertion.segment && last ? none : (last ? start : next.triangle) << 2 | 1;
        made.twin[1] = insertion.segment && first ? none : before << 2;
        made.twin[2] = spoke.twin;
        made.mark = 0;
        mesh.triangles[spoke.triangle] = made;
        if (spoke.twin != none)
            mesh.triangles[spoke.twin >> 2].twin[spoke.twin & 3] = spoke.triangle << 2 | 2;
        before = spoke.triangle;
        spoke = next;
    }
}

/// Judges the new triangles around the point.
LOCKSTEP_HD void judge_fan(const View& mesh, const PointInsertion& insertion, const Spoke* spokes) {
    for (std::int32_t i = 0; i < insertion.border; ++i)
        mesh.states[spokes[i].triangle] = judge(mesh, spokes[i].triangle);
}

}  // namespace lockstep::mesh
