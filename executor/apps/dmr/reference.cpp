#include "apps/dmr/reference.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "lockstep/executor/mesh/cavity.hpp"

namespace lockstep::dmr {

namespace {

using namespace mesh;

struct Edge {
    /// Endpoints, and the ID of the half-edge in the opposite direction (`none` at a border of the mesh).
    std::int32_t from, to, twin;
    std::int32_t at;  ///< ID of this half-edge
};

struct Cavity {
    std::int32_t owner = 0;
    Point point;
    std::int32_t segment = none;
    std::vector<std::int32_t> triangles;  ///< triangles of the cavity in the order of the search
    /// Edges around the cavity, counter-clockwise, without the segment that is halved.
    std::vector<Edge> border;
};

class Reference {
public:
    Reference(Mesh& mesh, const Rules& rules) : mesh_(mesh), rules_(rules), states_(mesh.triangles.size()) {
        for (std::size_t t = 0; t < states_.size(); ++t)
            states_[t] = judge(view(), static_cast<std::int32_t>(t));
    }

    Totals refine(const OnRound& on_round) {
        Totals totals;
        std::uint64_t bad = count(State::bad), before = bad, changes = 0;
        for (std::uint32_t round = 1;; before = bad, bad = count(State::bad)) {
            if (bad == 0) {
                totals.left = count(State::left);
                if (totals.left == 0 || changes == 0) return totals;
                std::replace(states_.begin(), states_.end(), State::left, State::bad);
                changes = 0;
                continue;
            }
            const std::vector<Cavity> cavities = cavities_of(round, before);
            const std::vector<std::size_t> chosen = independent(cavities, round);
            for (const std::size_t c : chosen) replace(cavities[c]);
            changes += chosen.size();
            ++round;
            if (!on_round({bad, tried_, chosen.size(), 0})) {
                totals.stopped = true;
                return totals;
            }
        }
    }

private:
    Triangle& at(std::int32_t t) { return mesh_.triangles[static_cast<std::size_t>(t)]; }
    Point point(std::int32_t v) const { return mesh_.points[static_cast<std::size_t>(v)]; }
    Edge edge(std::int32_t half) {
        const Triangle& t = at(half / 4);
        const int i = half % 4;
        return {t.corner[(i + 1) % 3], t.corner[(i + 2) % 3], t.twin[i], half};
    }
    std::uint64_t count(State state) const {
        return static_cast<std::uint64_t>(std::count(states_.begin(), states_.end(), state));
    }
    View view() { return {mesh_.points.data(), mesh_.triangles.data(), states_.data(), rules_.rule}; }
    bool conflicts(std::int32_t t, Point p) {
        const Triangle& it = at(t);
        return in_circle(point(it.corner[0]), point(it.corner[1]), point(it.corner[2]), p);
    }

    /// Collects the cavity of the new point `p`: the connected triangles whose circumcircles contain `p`. The
    /// depth-first search begins at the triangle of the half-edge `start`, and uses an explicit stack instead
    /// of recursion.
    Cavity dig(std::int32_t start, Point p, bool from_segment) {
        Cavity cavity;
        cavity.point = p;
        std::vector<std::int32_t> open;  // half-edges that the search has yet to cross; the last one is next
        const auto enter = [&](std::int32_t half, bool all) {
            cavity.triangles.push_back(half / 4);
            const auto turned = [&](int by) { return half / 4 * 4 + (half % 4 + by) % 3; };
            open.push_back(turned(2));
            open.push_back(turned(1));
            if (all) open.push_back(half);
        };
        enter(start, !from_segment);
        if (from_segment) cavity.segment = start;
        while (!open.empty()) {
            const Edge e = edge(open.back());
            open.pop_back();
            if (e.twin != none && conflicts(e.twin / 4, p))
                enter(e.twin, false);
            else
                cavity.border.push_back(e);
        }
        return cavity;
    }

    bool sees_all(const Cavity& cavity) const {
        return std::all_of(cavity.border.begin(), cavity.border.end(), [&](const Edge& e) {
            return orientation(point(e.from), point(e.to), cavity.point) > 0;
        });
    }

    std::optional<Cavity> at_segment(std::int32_t segment) {
        const Edge s = edge(segment);
        const Point a = point(s.from), b = point(s.to), p = midpoint(a, b);
        if (square(from_to(a, b)) / 4 < rules_.rule.shortest2 || !conflicts(segment / 4, p)) return {};
        Cavity cavity = dig(segment, p, true);
        return sees_all(cavity) ? std::optional(cavity) : std::nullopt;
    }

    std::optional<Cavity> cavity_of(std::int32_t t) {
        const Triangle& it = at(t);
        const Point corner[3]{point(it.corner[0]), point(it.corner[1]), point(it.corner[2])};
        const int apex = narrowest(corner);
        const Point a = corner[(apex + 1) % 3], b = corner[(apex + 2) % 3], c = corner[apex];
        const Centre centre = wanted_centre(rules_.rule, a, b, c);
        Point p;
        if (!on_grid(a, centre, p)) {
            const std::int32_t segment = segment_towards(view(), place_of(view(), it, 4 * t + apex), centre);
            return segment == none ? std::nullopt : at_segment(segment);
        }
        if (!conflicts(t, p)) return {};
        Cavity cavity = dig(4 * t + apex, p, false);
        for (const Edge& e : cavity.border) {
            const Point from = point(e.from), to = point(e.to);
            const bool sees = orientation(from, to, p) > 0;
            if (e.twin == none && (!sees || encroaches(from, to, p))) return at_segment(e.at);
            if (!sees) return {};
        }
        return cavity;
    }

    std::vector<Cavity> cavities_of(std::uint32_t round, std::uint64_t before) {
        const std::uint32_t least = min_priority(before, rules_.full, rules_.part);
        std::vector<Cavity> cavities;
        tried_ = 0;
        for (std::size_t t = 0; t < states_.size(); ++t) {
            const auto triangle = static_cast<std::int32_t>(t);
            if (states_[t] != State::bad || priority(triangle, round) < least) continue;
            ++tried_;
            std::optional<Cavity> cavity = cavity_of(triangle);
            if (!cavity) {
                states_[t] = State::left;
                continue;
            }
            cavity->owner = triangle;
            cavities.push_back(std::move(*cavity));
        }
        return cavities;
    }

    /// Returns the cavities that may be refined in the same round. A cavity claims its own triangles and the
    /// triangles next to them. A cavity is returned if no cavity of higher priority has a conflicting claim
    /// on any of these triangles.
    std::vector<std::size_t> independent(const std::vector<Cavity>& cavities, std::uint32_t round) {
        struct Claim {
            std::uint32_t priority;
            bool inside;
            std::int32_t owner;
        };
        std::map<std::int32_t, Claim> highest;
        const auto claim = [&](std::int32_t triangle, const Claim& mine) {
            const auto [found, is_new] = highest.try_emplace(triangle, mine);
            const auto order = [](const Claim& c) { return std::pair(c.priority, c.inside); };
            if (!is_new && order(found->second) < order(mine)) found->second = mine;
        };
        for (const Cavity& c : cavities) {
            const std::uint32_t mine = priority(c.owner, round);
            for (const std::int32_t t : c.triangles) claim(t, {mine, true, c.owner});
            for (const Edge& e : c.border) {
                if (e.twin != none) claim(e.twin / 4, {mine, false, c.owner});
            }
        }
        std::vector<std::size_t> chosen;
        for (std::size_t i = 0; i < cavities.size(); ++i) {
            const Cavity& c = cavities[i];
            const bool whole = std::all_of(c.triangles.begin(), c.triangles.end(), [&](std::int32_t t) {
                return highest.at(t).inside && highest.at(t).owner == c.owner;
            });
            const bool apart = std::all_of(c.border.begin(), c.border.end(), [&](const Edge& e) {
                return e.twin == none || !highest.at(e.twin / 4).inside;
            });
            if (whole && apart) chosen.push_back(i);
        }
        return chosen;
    }

    /// Replaces the triangles of a cavity by a fan of triangles around the new point. The fan uses the
    /// indices of the cavity's triangles, and new indices if it has more triangles.
    void replace(const Cavity& cavity) {
        const auto p = static_cast<std::int32_t>(mesh_.points.size());
        mesh_.points.push_back(cavity.point);
        std::vector<std::int32_t> places = cavity.triangles;
        while (places.size() < cavity.border.size()) {
            places.push_back(static_cast<std::int32_t>(mesh_.triangles.size()));
            mesh_.triangles.emplace_back();
            states_.emplace_back();
        }
        const std::size_t size = cavity.border.size();
        for (std::size_t i = 0; i < size; ++i) {
            const Edge& e = cavity.border[i];
            const bool open = cavity.segment != none;
            at(places[i]) = {{e.from, e.to, p},
                             {open && i + 1 == size ? none : 4 * places[(i + 1) % size] + 1,
                              open && i == 0 ? none : 4 * places[(i + size - 1) % size], e.twin},
                             0};
            if (e.twin != none) at(e.twin / 4).twin[e.twin % 4] = 4 * places[i] + 2;
        }
        for (const std::int32_t t : places) states_[static_cast<std::size_t>(t)] = judge(view(), t);
    }

    Mesh& mesh_;
    Rules rules_;
    std::vector<State> states_;
    std::uint64_t tried_ = 0;
};

}  // namespace

Totals reference_refine(Mesh& mesh, const Rules& rules, const OnRound& on_round) {
    return Reference(mesh, rules).refine(on_round);
}

}  // namespace lockstep::dmr
