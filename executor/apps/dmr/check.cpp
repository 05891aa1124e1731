// Verifies a refined mesh. It uses only the points and the corners of the triangles, and no data of the
// refinement.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <unordered_map>
#include <unordered_set>

#include "apps/dmr/reference.hpp"

namespace lockstep::dmr {

namespace {

using mesh::Mesh;
using mesh::Point;
using mesh::Triangle;
using Wide = __int128;

struct Side {
    std::int32_t low, high, triangle;
    std::int8_t corner;  ///< index of the corner opposite to the side
    bool upwards;        ///< whether the triangle has the side in the direction from `low` to `high`
};

Wide doubled(Point a, Point b, Point c) {
    return Wide{std::int64_t{b.x} - a.x} * (std::int64_t{c.y} - a.y) -
           Wide{std::int64_t{b.y} - a.y} * (std::int64_t{c.x} - a.x);
}
long double length(Point a, Point b) {
    return std::hypot(static_cast<long double>(a.x) - b.x, static_cast<long double>(a.y) - b.y);
}
/// Returns true if `d` is inside the circle through `a`, `b` and `c`. This is the sign of the determinant of
/// the points lifted to a paraboloid, with `d` moved to the origin, expanded along the last column. The
/// arithmetic is exact.
bool inside(Point a, Point b, Point c, Point d) {
    const auto lifted = [&](Point p, Point q, Point r) {
        const std::int64_t x = std::int64_t{p.x} - d.x, y = std::int64_t{p.y} - d.y;
        return Wide{x * x + y * y} * static_cast<std::int64_t>(doubled(d, q, r));
    };
    return lifted(a, b, c) + lifted(b, c, a) + lifted(c, a, b) > 0;
}

class Proof {
public:
    Proof(const Mesh& input, const Mesh& refined, const mesh::Rules& rules)
        : input_(input), mesh_(refined), rules_(rules) {}

    Quality verify() {
        for (const auto step : {&Proof::check_points, &Proof::check_triangles, &Proof::check_sides,
                                &Proof::check_boundary, &Proof::check_delaunay, &Proof::check_angles}) {
            (this->*step)();
            if (!found_.problem.empty()) break;
        }
        return found_;
    }

private:
    template <class... Arguments>
    void fail(fmt::format_string<Arguments...> format, const Arguments&... arguments) {
        if (found_.problem.empty())
            found_.problem = fmt::vformat(format, fmt::make_format_args(arguments...));
    }
    Point at(std::int32_t v) const { return mesh_.points[static_cast<std::size_t>(v)]; }

    void check_points() {
        const std::size_t given = input_.points.size();
        if (mesh_.points.size() < given)
            return fail("{} points of the input are missing", given - mesh_.points.size());
        for (std::size_t p = 0; p < given; ++p) {
            if (mesh_.points[p] != input_.points[p]) return fail("point {} of the input has been moved", p);
        }
        found_.added = mesh_.points.size() - given;
    }

    void check_triangles() {
        std::vector<bool> used(mesh_.points.size());
        const auto points = static_cast<std::int32_t>(mesh_.points.size());
        for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
            const auto& corner = mesh_.triangles[t].corner;
            for (const std::int32_t v : corner) {
                if (v < 0 || v >= points)
                    return fail("triangle {} has the corner {}, which is not a point", t, v);
                used[static_cast<std::size_t>(v)] = true;
            }
            const Wide area = doubled(at(corner[0]), at(corner[1]), at(corner[2]));
            if (area <= 0) return fail("triangle {} does not run counter-clockwise", t);
            found_.area += area;
        }
        for (const Triangle& t : input_.triangles) {
            for (const std::int32_t v : t.corner) {
                if (!used[static_cast<std::size_t>(v)])
                    return fail("point {} of the input is no longer in any triangle", v);
            }
        }
        for (std::size_t v = input_.points.size(); v < used.size(); ++v) {
            if (!used[v]) return fail("the new point {} is in no triangle", v);
        }
    }

    static std::vector<Side> sides_of(const Mesh& mesh) {
        std::vector<Side> sides;
        sides.reserve(3 * mesh.triangles.size());
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            for (std::int8_t i = 0; i < 3; ++i) {
                const std::int32_t a = mesh.triangles[t].corner[(i + 1) % 3],
                                   b = mesh.triangles[t].corner[(i + 2) % 3];
                sides.push_back({std::min(a, b), std::max(a, b), static_cast<std::int32_t>(t), i, a < b});
            }
        }
        std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
            return std::pair(a.low, a.high) < std::pair(b.low, b.high);
        });
        return sides;
    }
    static bool same(const Side& a, const Side& b) { return a.low == b.low && a.high == b.high; }
    static std::pair<std::int32_t, std::int32_t> ends(const Side& s) {
        return s.upwards ? std::pair(s.low, s.high) : std::pair(s.high, s.low);
    }
    /// Returns the sides that belong to exactly one triangle.
    static std::vector<Side> boundary_of(const std::vector<Side>& sides) {
        std::vector<Side> boundary;
        for (std::size_t i = 0; i < sides.size(); ++i) {
            if ((i == 0 || !same(sides[i - 1], sides[i])) &&
                (i + 1 == sides.size() || !same(sides[i], sides[i + 1])))
                boundary.push_back(sides[i]);
        }
        return boundary;
    }

    void check_sides() {
        sides_ = sides_of(mesh_);
        for (std::size_t i = 1; i < sides_.size(); ++i) {
            if (!same(sides_[i - 1], sides_[i])) continue;
            if (i > 1 && same(sides_[i - 2], sides_[i]))
                return fail("three triangles share the edge {} {}", sides_[i].low, sides_[i].high);
            if (sides_[i - 1].upwards == sides_[i].upwards)
                return fail("triangles {} and {} overlap at their edge {} {}", sides_[i - 1].triangle,
                            sides_[i].triangle, sides_[i].low, sides_[i].high);
        }
    }

    /// Returns the maximum distance, in steps of the grid, between a segment of the input and the points into
    /// which the refinement has divided it; `length` is the length of the segment. A new point is the
    /// midpoint of two neighbours: its distance is at most the mean of their distances, plus 0.71 for
    /// rounding to the grid. A segment is halved at most log2(length) times.
    static long double slack(long double length) { return 1 + std::log2(length) / 2; }

    /// Divides the boundary of the refined mesh into chains that begin and end at points of the input.
    /// Returns for each pair of endpoints the second point of the chain.
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> chains() {
        std::vector<std::pair<std::int32_t, std::int32_t>> beginnings;
        const auto given = static_cast<std::int32_t>(input_.points.size());
        for (const Side& s : boundary_of(sides_)) {
            const auto [from, to] = ends(s);
            ++found_.segments;
            if (from < given)
                beginnings.emplace_back(from, to);
            else if (!onward_.emplace(from, to).second)
                fail("the boundary has two successors of the new point {}", from);
        }
        std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> chains;
        for (const auto& [from, first] : beginnings) {
            std::int32_t v = first;
            for (EdgeId left = found_.segments; v >= given && left > 0 && onward_.contains(v); --left)
                v = onward_[v];
            if (!chains.emplace(std::pair(from, v), first).second)
                fail("the boundary has two paths from point {} to point {}", from, v);
        }
        return chains;
    }

    void check_boundary() {
        const auto chain = chains();
        std::size_t met = 0;
        bool parallel = true;
        long double tolerance = 0;
        for (const Side& s : boundary_of(sides_of(input_))) {
            const auto [a, b] = ends(s);
            const Point from = at(a), to = at(b);
            const long double size = length(from, to);
            parallel = parallel && (from.x == to.x || from.y == to.y);
            tolerance += 2 * size * slack(size);
            const long double x = to.x - static_cast<long double>(from.x),
                              y = to.y - static_cast<long double>(from.y);
            const auto found = chain.find({a, b});
            if (found == chain.end()) return fail("the segment {} {} of the boundary is interrupted", a, b);
            long double so_far = 0;
            for (std::int32_t v = found->second; ++met, v != b; v = onward_.at(v)) {
                const long double px = at(v).x - static_cast<long double>(from.x),
                                  py = at(v).y - static_cast<long double>(from.y);
                const long double along = (x * px + y * py) / (size * size);
                if (std::abs(x * py - y * px) > size * slack(size) || along <= so_far || along >= 1)
                    return fail("the segment {} {} of the boundary does not contain point {}", a, b, v);
                so_far = along;
            }
        }
        if (met != found_.segments)
            return fail("the boundary has {} segments, of which {} follow the input's", found_.segments, met);
        const Wide before = mesh::doubled_area(input_), difference = found_.area - before;
        const auto off = std::abs(static_cast<long double>(difference));
        if (parallel ? difference != 0 : off > tolerance)
            return fail("the area differs from the area of the input by the relative amount {}",
                        static_cast<double>(off / static_cast<long double>(before)));
    }

    void check_delaunay() {
        for (std::size_t i = 1; i < sides_.size(); ++i) {
            if (!same(sides_[i - 1], sides_[i])) continue;
            const auto& corner = mesh_.triangles[static_cast<std::size_t>(sides_[i - 1].triangle)].corner;
            const Side& other = sides_[i];
            const Point d =
                at(mesh_.triangles[static_cast<std::size_t>(other.triangle)].corner[other.corner]);
            if (inside(at(corner[0]), at(corner[1]), at(corner[2]), d))
                return fail("a corner of triangle {} lies inside the circumcircle of triangle {}",
                            other.triangle, sides_[i - 1].triangle);
        }
    }

    void check_angles() {
        std::vector<std::int32_t> across(3 * mesh_.triangles.size(), -1);
        for (std::size_t i = 1; i < sides_.size(); ++i) {
            if (!same(sides_[i - 1], sides_[i])) continue;
            const auto place = [](const Side& s) {
                return 3 * static_cast<std::size_t>(s.triangle) + static_cast<std::size_t>(s.corner);
            };
            across[place(sides_[i - 1])] = sides_[i].triangle;
            across[place(sides_[i])] = sides_[i - 1].triangle;
        }
        const long double least = std::acos(std::sqrt(static_cast<long double>(rules_.rule.cos2)));
        const long double floor = std::sqrt(static_cast<long double>(rules_.rule.shortest2));
        for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
            const auto& corner = mesh_.triangles[t].corner;
            long double angle = 4;
            std::size_t where = 0;
            for (std::size_t i = 0; i < 3; ++i) {
                const Point p = at(corner[i]), q = at(corner[(i + 1) % 3]), r = at(corner[(i + 2) % 3]);
                const long double here = std::atan2(
                    static_cast<long double>(doubled(p, q, r)),
                    (static_cast<long double>(q.x) - p.x) * (static_cast<long double>(r.x) - p.x) +
                        (static_cast<long double>(q.y) - p.y) * (static_cast<long double>(r.y) - p.y));
                if (here < angle) angle = here, where = i;
            }
            found_.smallest_angle = std::min(
                found_.smallest_angle, static_cast<double>(angle * 180 / std::numbers::pi_v<long double>));
            if (angle > least - 1e-12L) continue;
            ++found_.left;
            const bool corner_of_boundary =
                across[3 * t + (where + 1) % 3] < 0 && across[3 * t + (where + 2) % 3] < 0;
            const Point q = at(corner[(where + 1) % 3]), r = at(corner[(where + 2) % 3]);
            if (corner_of_boundary || length(q, r) < floor ||
                is_stuck(static_cast<std::int32_t>(t), across, q, r, at(corner[where])))
                continue;
            return fail("triangle {} has an angle of {:.4f} degrees", t,
                        static_cast<double>(angle * 180 / std::numbers::pi_v<long double>));
        }
    }

    /// Returns true if a triangle cannot be refined. Either the cavity of its new point (the triangles whose
    /// circumcircles contain the point) ends at a segment that is too short to be halved, or the cavity
    /// contains a triangle so thin that rounding to the grid may make points on the other side of it
    /// invisible.
    bool is_stuck(std::int32_t triangle, const std::vector<std::int32_t>& across, Point a, Point b,
                  Point c) const {
        Point p;
        if (length(a, b) < 64 || !mesh::on_grid(a, mesh::wanted_centre(rules_.rule, a, b, c), p)) return true;
        std::vector<std::int32_t> cavity{triangle};
        std::unordered_set<std::int32_t> seen{triangle};
        for (std::size_t i = 0; i < cavity.size(); ++i) {
            const auto& corner = mesh_.triangles[static_cast<std::size_t>(cavity[i])].corner;
            const Point u = at(corner[0]), v = at(corner[1]), w = at(corner[2]);
            const long double longest = std::max({length(u, v), length(v, w), length(w, u)});
            // the height of the triangle is less than 16 steps of the grid
            if (static_cast<long double>(doubled(u, v, w)) < 16 * longest) return true;
            for (std::size_t j = 0; j < 3; ++j) {
                const std::int32_t next = across[3 * static_cast<std::size_t>(cavity[i]) + j];
                const Point q = at(corner[(j + 1) % 3]), r = at(corner[(j + 2) % 3]);
                if (next < 0 &&
                    length(q, r) / 2 < std::sqrt(static_cast<long double>(rules_.rule.shortest2)) * 1.000001L)
                    return true;
                if (next < 0 || !seen.insert(next).second) continue;
                const auto& of = mesh_.triangles[static_cast<std::size_t>(next)].corner;
                if (inside(at(of[0]), at(of[1]), at(of[2]), p)) cavity.push_back(next);
            }
        }
        return false;
    }

    const Mesh &input_, &mesh_;
    const mesh::Rules& rules_;
    Quality found_;
    std::vector<Side> sides_;
    /// Next point along the boundary, for each new point on the boundary.
    std::unordered_map<std::int32_t, std::int32_t> onward_;
};

}  // namespace

Quality verify_refinement(const Mesh& input, const Mesh& refined, const mesh::Rules& rules) {
    return Proof(input, refined, rules).verify();
}

}  // namespace lockstep::dmr
