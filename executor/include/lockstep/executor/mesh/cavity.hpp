// The work on the cavity (walk.hpp) of one bad triangle in a round (Ruppert 1995; Bowyer and Watson 1981).
// The same code runs on CPU and GPU:
//     decide   chooses the new point: the circumcentre, or the middle of a segment that it encroaches upon
//     locks    of the cavity's triangles and the ring around them, for an Exclusive (worklist/exclusive.hpp)
//     refine   replaces the cavity's triangles by a fan around the point
// Each step walks around the cavity, unless `decide` has stored the cavity in a list for the other steps.
//
// Cavities that share only corners or ring triangles do not conflict: inserted in any order, they result in
// the same mesh, which is Delaunay (Spielman, Teng and Üngör 2002).
#pragma once

#include "lockstep/executor/mesh/walk.hpp"
#include "lockstep/executor/worklist/exclusive.hpp"

namespace lockstep::mesh {

/// The insertion that a bad triangle requires in a round.
struct Wish {
    Point point;              ///< new point
    std::int32_t start;       ///< half-edge at which the walk begins; if a segment is split: this segment
    std::int32_t border = 0;  ///< number of triangles of the fan; 0: nothing can be done
    bool segment = false;     ///< whether a segment is split
    bool kept = false;        ///< whether the cavity is stored in a list

    /// Returns the number of triangles of the cavity.
    LOCKSTEP_HD std::int32_t size() const { return border - (segment ? 1 : 2); }
};

/// One edge of a cavity's border: its endpoints, the half-edge outside, and the index of a triangle. Before
/// `refine`, these are the cavity's triangles, in the order in which the walk first enters them; after it,
/// the triangle of the fan at this edge.
struct Spoke {
    std::int32_t from, to, twin, triangle;
};

/// Maximum number of cavities whose lists are stored between the steps, and of edges per list: enough for 99
/// in 100 cavities.
inline constexpr EdgeId most_kept = EdgeId{1} << 18;
inline constexpr std::int32_t room_of_kept = 16;

/// A visitor that stores the list of a cavity during a walk.
struct Keep {
    Spoke* spokes;
    std::int32_t room, borders = 0, triangles = 0;
    bool whole = true;  ///< whether the capacity has sufficed

    LOCKSTEP_HD void begin() { borders = triangles = 0, whole = room > 0; }
    LOCKSTEP_HD void enter(std::int32_t triangle) {
        if (!whole) return;
        for (std::int32_t i = 0; i < triangles; ++i) {
            if (spokes[i].triangle == triangle) return;
        }
        whole = triangles < room;
        if (whole) spokes[triangles++].triangle = triangle;
    }
    template <class Place>
    LOCKSTEP_HD void border(const Place& edge) {
        whole = whole && borders < room;
        if (!whole) return;
        Spoke& spoke = spokes[borders++];
        spoke.from = edge.from, spoke.to = edge.to, spoke.twin = edge.twin;
    }
};
/// A visitor that stores nothing.
struct Forget {
    static constexpr bool whole = false;
    LOCKSTEP_HD void begin() {}
    LOCKSTEP_HD void enter(std::int32_t) {}
    template <class Place>
    LOCKSTEP_HD void border(const Place&) {}
};

/// Returns true if a cavity's triangles form a tree, given the numbers of border edges and of entered
/// triangles. A walk around k triangles in a tree crosses each of the k - 1 edges between them twice, and has
/// k + 2 border edges. A planar mesh always yields a tree; if sheets of a mesh overlap, this check prevents
/// damage.
LOCKSTEP_HD bool is_tree(std::int32_t border, std::int32_t entered) { return entered == 2 * border - 5; }

/// Returns the insertion of the middle of a segment, which is impossible if its halves would be too short.
template <class Note>
LOCKSTEP_HD Wish wish_of_segment(const View& mesh, std::int32_t segment, Note& note) {
    const Place at = place_of(mesh, mesh.triangles[segment >> 2], segment);
    Wish wish{midpoint(at.a, at.b), segment, 0, true, false};
    if (square(from_to(at.a, at.b)) / 4 < mesh.rule.shortest2 || !in_circle(at.a, at.b, at.c, wish.point))
        return wish;
    std::int32_t border = 0, entered = 0;
    note.begin();
    const auto enter = [&](std::int32_t triangle, std::uint64_t) {
        ++entered;
        note.enter(triangle);
        return true;
    };
    const auto look = [&](const Place& edge, std::uint64_t) {
        if (edge.at == segment) return true;
        ++border;
        note.border(edge);
        return orientation(edge.a, edge.b, wish.point) > 0;
    };
    if (walk(mesh, segment, wish.point, enter, look) && is_tree(border + 1, entered)) wish.border = border;
    wish.kept = note.whole;
    return wish;
}

/// Returns the insertion for a bad triangle: its centre, or the middle of the segment on which the centre
/// encroaches.
template <class Note>
LOCKSTEP_HD Wish decide(const View& mesh, std::int32_t triangle, Note& note) {
    Place at = place_of(mesh, mesh.triangles[triangle], triangle << 2);
    const Point corner[3]{at.c, at.a, at.b};
    for (int turns = narrowest(corner); turns > 0; --turns) at.turn();  // a to b is the shortest edge
    const Centre centre = wanted_centre(mesh.rule, at.a, at.b, at.c);
    Wish wish{{}, at.at, 0, false, false};
    std::int32_t segment = none;
    if (!on_grid(at.a, centre, wish.point)) {
        segment = segment_towards(mesh, at, centre);
    } else if (in_circle(at.a, at.b, at.c, wish.point)) {
        std::int32_t border = 0, entered = 0;
        note.begin();
        const auto enter = [&](std::int32_t into, std::uint64_t) {
            ++entered;
            note.enter(into);
            return true;
        };
        const auto look = [&](const Place& edge, std::uint64_t) {
            ++border;
            note.border(edge);
            const bool sees = orientation(edge.a, edge.b, wish.point) > 0;
            if (edge.twin == none && (!sees || encroaches(edge.a, edge.b, wish.point))) segment = edge.at;
            return sees && segment == none;
        };
        if (walk(mesh, wish.start, wish.point, enter, look) && is_tree(border, entered)) wish.border = border;
        wish.kept = note.whole;
    }
    return segment == none ? wish : wish_of_segment(mesh, segment, note);
}

/// Applies `ask` to the locks of a cavity: it owns its triangles, and shares the ring around them. `kept` is
/// the stored list of the cavity, if there is one.
template <class Ask>
LOCKSTEP_HD bool for_locks(const View& mesh, const Wish& wish, const Spoke* kept, Ask ask) {
    const auto lock = [&](std::int32_t triangle) { return &mesh.triangles[triangle].mark; };
    if (!wish.kept)
        return walk(
            mesh, wish.start, wish.point,
            [&](std::int32_t triangle, std::uint64_t mark) { return ask.own(lock(triangle), mark); },
            [&](const Place& edge, std::uint64_t mark) {
                return edge.twin == none || ask.share(lock(edge.twin >> 2), mark);
            });
    bool all = true;
    for (std::int32_t i = 0; all && i < wish.border; ++i) {
        const Spoke spoke = kept[i];
        if (i < wish.size()) all = ask.own(lock(spoke.triangle));
        if (spoke.twin != none) all = all && ask.share(lock(spoke.twin >> 2));
    }
    return all;
}

/// Returns whether a triangle of the mesh is bad.
LOCKSTEP_HD State judge(const View& mesh, std::int32_t triangle) {
    const Triangle t = mesh.triangles[triangle];
    const Point corner[3]{mesh.points[t.corner[0]], mesh.points[t.corner[1]], mesh.points[t.corner[2]]};
    const bool boundary[3]{t.twin[0] == none, t.twin[1] == none, t.twin[2] == none};
    return is_bad(mesh.rule, corner, boundary) ? State::bad : State::fine;
}

/// Lists a cavity that was not stored. `spokes` has the capacity for wish.border entries. Clears the marks.
LOCKSTEP_HD void list_cavity(const View& mesh, const Wish& wish, std::uint64_t key, Spoke* spokes) {
    std::int32_t size = 0, triangles = 0;
    const auto enter = [&](std::int32_t triangle, std::uint64_t mark) {
        if (mark == key) {  // the first visit
            mesh.triangles[triangle].mark = 0;
            spokes[triangles++].triangle = triangle;
        }
        return true;
    };
    const auto look = [&](const Place& edge, std::uint64_t) {
        if (wish.segment && edge.at == wish.start) return true;
        Spoke& spoke = spokes[size++];
        spoke.from = edge.from, spoke.to = edge.to, spoke.twin = edge.twin;
        return true;
    };
    walk(mesh, wish.start, wish.point, enter, look);
}

/// Replaces a cavity by the fan around `point`. The triangles that do not fit into the cavity's get the
/// indices from `fresh` on, for which the mesh has capacity. `spokes` is the list of the cavity; its
/// triangles become those of the fan.
LOCKSTEP_HD void refine(const View& mesh, const Wish& wish, std::int32_t point, std::int32_t fresh,
                        Spoke* spokes) {
    mesh.points[point] = wish.point;
    for (std::int32_t i = wish.size(); i < wish.border; ++i) spokes[i].triangle = fresh++;
    std::int32_t before = spokes[wish.border - 1].triangle;
    Spoke spoke = spokes[0];
    const std::int32_t start = spoke.triangle;
    for (std::int32_t i = 0; i < wish.border; ++i) {
        const bool first = i == 0, last = i + 1 == wish.border;
        Spoke next = spoke;
        if (!last) next = spokes[i + 1];
        Triangle made;
        made.corner[0] = spoke.from, made.corner[1] = spoke.to, made.corner[2] = point;
        made.twin[0] = wish.segment && last ? none : (last ? start : next.triangle) << 2 | 1;
        made.twin[1] = wish.segment && first ? none : before << 2;
        made.twin[2] = spoke.twin;
        made.mark = 0;
        mesh.triangles[spoke.triangle] = made;
        if (spoke.twin != none)
            mesh.triangles[spoke.twin >> 2].twin[spoke.twin & 3] = spoke.triangle << 2 | 2;
        before = spoke.triangle;
        spoke = next;
    }
}

/// Judges the triangles of the fan.
LOCKSTEP_HD void judge_fan(const View& mesh, const Wish& wish, const Spoke* spokes) {
    for (std::int32_t i = 0; i < wish.border; ++i)
        mesh.states[spokes[i].triangle] = judge(mesh, spokes[i].triangle);
}

}  // namespace lockstep::mesh
