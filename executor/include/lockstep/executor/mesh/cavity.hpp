// A cavity (walk.hpp): what one bad triangle takes in a round (Ruppert 1995; Bowyer and Watson 1981), the
// same code on CPU and GPU:
//     decide   the point: its circumcentre, or the middle of a segment that the circumcentre encroaches upon
//     locks    of the cavity's triangles and the ring around it, for an Exclusive (worklist/exclusive.hpp)
//     refine   the cavity's triangles replaced by a fan around the point
// Each walks the cavity; or decide keeps it in a list, which the others take.
// Cavities that share corners or ring triangles alone do not disturb each other: inserted in any order, they
// give the same mesh, and a Delaunay one (Spielman, Teng and Üngör 2002).
#pragma once

#include "lockstep/executor/mesh/walk.hpp"
#include "lockstep/executor/worklist/exclusive.hpp"

namespace lockstep::mesh {

/// What a bad triangle wants in a round.
struct Wish {
    Point point;              ///< that is to come
    std::int32_t start;       ///< half-edge where the walk begins; of a segment: that segment
    std::int32_t border = 0;  ///< triangles of the fan; 0: nothing can be done
    bool segment = false;     ///< a segment is split
    bool kept = false;        ///< the cavity is in a list

    /// Triangles of the cavity.
    LOCKSTEP_HD std::int32_t size() const { return border - (segment ? 1 : 2); }
};

/// One of a cavity's edges: its ends, the half-edge outside, and the place of a triangle: first one of the
/// cavity's, in the order in which the walk first comes to them; at last that of the fan on this edge.
struct Spoke {
    std::int32_t from, to, twin, triangle;
};

/// Lists of cavities that are kept between the steps, and edges of each at most: of 99 in 100 it is enough.
inline constexpr EdgeId most_kept = EdgeId{1} << 18;
inline constexpr std::int32_t room_of_kept = 16;

/// What keeps a cavity while it is walked.
struct Keep {
    Spoke* spokes;
    std::int32_t room, borders = 0, triangles = 0;
    bool whole = true;  ///< there was room

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
/// What does not.
struct Forget {
    static constexpr bool whole = false;
    LOCKSTEP_HD void begin() {}
    LOCKSTEP_HD void enter(std::int32_t) {}
    template <class Place>
    LOCKSTEP_HD void border(const Place&) {}
};

/// Of k triangles in a tree, each of the k - 1 edges between them is crossed twice, and k + 2 are the border.
/// In a mesh of the plane it always is one; where sheets of one lie over each other nothing is to break.
LOCKSTEP_HD bool is_tree(std::int32_t border, std::int32_t entered) { return entered == 2 * border - 5; }

/// The middle of a segment, where halves are not too short.
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

/// The locks of a cavity: it owns its triangles, and shares the ring around it. `kept`: the list of one that is
/// kept.
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

/// Whether a triangle of the mesh is bad.
LOCKSTEP_HD State judge(const View& mesh, std::int32_t triangle) {
    const Triangle t = mesh.triangles[triangle];
    const Point corner[3]{mesh.points[t.corner[0]], mesh.points[t.corner[1]], mesh.points[t.corner[2]]};
    const bool boundary[3]{t.twin[0] == none, t.twin[1] == none, t.twin[2] == none};
    return is_bad(mesh.rule, corner, boundary) ? State::bad : State::fine;
}

/// The list of a cavity that was not kept: room for wish.border. Takes the marks away.
LOCKSTEP_HD void list_cavity(const View& mesh, const Wish& wish, std::uint64_t key, Spoke* spokes) {
    std::int32_t size = 0, triangles = 0;
    const auto enter = [&](std::int32_t triangle, std::uint64_t mark) {
        if (mark == key) {  // for the first time
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

/// Overwrites a cavity with the fan around `point`; its last triangles have the numbers from `fresh` on,
/// which the mesh has room for. `spokes`: its list, of which places come to be those of the fan.
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

/// Judges the fan.
LOCKSTEP_HD void judge_fan(const View& mesh, const Wish& wish, const Spoke* spokes) {
    for (std::int32_t i = 0; i < wish.border; ++i)
        mesh.states[spokes[i].triangle] = judge(mesh, spokes[i].triangle);
}

}  // namespace lockstep::mesh
