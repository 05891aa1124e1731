// Tests of mesh refinement: predicates are compared with wider arithmetic, all devices and the reference give
// one mesh, and the verification finds faults.
#include <boost/multiprecision/cpp_int.hpp>
#include <random>

#include "apps/device.hpp"
#include "apps/dmr/reference.hpp"
#include "catch.hpp"
#include "lockstep/executor/mesh/grid.hpp"
#include "named_meshes.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::mesh;
using namespace lockstep::test;

namespace {

bool all_rounds(const Round&) { return true; }

bool equal(const Mesh& a, const Mesh& b) {
    return a.points == b.points && std::equal(a.triangles.begin(), a.triangles.end(), b.triangles.begin(),
                                              b.triangles.end(), [](const Triangle& s, const Triangle& t) {
                                                  return std::equal(s.corner, s.corner + 3, t.corner) &&
                                                         std::equal(s.twin, s.twin + 3, t.twin);
                                              });
}

int sign(const boost::multiprecision::cpp_int& x) { return x < 0 ? -1 : x > 0; }

}  // namespace

TEST_CASE("predicates of meshes are exact: near lines and circles, and at the ends of the grid") {
    using Int = boost::multiprecision::cpp_int;
    std::mt19937 random(5);
    int zeros = 0;
    for (int i = 0; i < 20000; ++i) {
        Point p[4];
        const std::int32_t span = i % 3 == 0   ? 8
                                  : i % 3 == 1 ? 1 << 20
                                               : std::numeric_limits<std::int32_t>::max();
        const std::int32_t from = i % 2 ? 0 : std::numeric_limits<std::int32_t>::max() - span;
        for (Point& q : p)
            q = {from + static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(span)),
                 from + static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(span))};
        const auto det = [&](int a, int b, int c) {
            return (Int(p[b].x) - p[a].x) * (Int(p[c].y) - p[a].y) -
                   (Int(p[b].y) - p[a].y) * (Int(p[c].x) - p[a].x);
        };
        const Int turn = det(0, 1, 2);
        const std::int64_t found = orientation(p[0], p[1], p[2]);
        REQUIRE((found > 0) - (found < 0) == sign(turn));
        if (turn < 0) std::swap(p[1], p[2]);
        Int lifted = 0;
        const auto square_of = [&](int a) {
            const Int x = Int(p[a].x) - p[3].x, y = Int(p[a].y) - p[3].y;
            return Int(x * x + y * y);
        };
        lifted = square_of(0) * det(3, 1, 2) + square_of(1) * det(3, 2, 0) + square_of(2) * det(3, 0, 1);
        zeros += lifted == 0;
        REQUIRE(in_circle(p[0], p[1], p[2], p[3]) == (lifted > 0));
    }
    CHECK(zeros > 100);
    constexpr std::int32_t end = std::numeric_limits<std::int32_t>::max();
    CHECK_FALSE(in_circle({0, 0}, {end, 0}, {end, end}, {0, end}));
    CHECK(in_circle({0, 0}, {end, 0}, {end, end}, {1, end}));
}

TEST_CASE("one refined mesh: serial reference, all threads, GPU, and it is proved") {
    std::string why;
    const bool on_gpu = cuda_available(&why);
    if (!on_gpu) skip(why);
    for (const double angle : {15.0, 20.7, 30.0, 33.0}) {
        for (const NamedMesh& named : meshes()) {
            INFO(named.name << ", " << angle << " degrees");
            const Rules rules = rules_of(named.mesh, angle);
            Mesh expected = named.mesh;
            const Totals totals = dmr::reference_refine(expected, rules, all_rounds);
            const dmr::Quality quality = dmr::verify_refinement(named.mesh, expected, rules);
            CHECK(quality.problem == "");
            for (const int threads : {1, 3}) {
                Mesh found = named.mesh;
                CHECK(refine_on_cpu(found, rules, threads, all_rounds).left == totals.left);
                CHECK(equal(found, expected));
            }
            Mesh copy = expected;
            CHECK(flip_to_delaunay(copy) == 0);
#if defined(LOCKSTEP_HAS_CUDA)
            for (const RefinementMethod method :
                 {RefinementMethod::priority_locks, RefinementMethod::supersteps}) {
                for (const auto loop : {worklist::Loop::host, worklist::Loop::outlined}) {
                    if (!on_gpu) continue;
                    Mesh found = named.mesh;
                    Rules narrow = rules;  // the mesh outgrows this capacity
                    narrow.initial_capacity = method == RefinementMethod::supersteps ? 1 : 4;
                    CHECK(refine_on_cuda(found, narrow, method, loop, all_rounds).left == totals.left);
                    CHECK(equal(found, expected));
                }
            }
            for (const auto loop : {worklist::Loop::host, worklist::Loop::outlined}) {
                if (!on_gpu) continue;
                Mesh found = named.mesh;  // this mesh may differ
                refine_on_cuda(found, rules, RefinementMethod::exclusive, loop, all_rounds);
                CHECK(dmr::verify_refinement(named.mesh, found, rules).problem == "");
            }
#endif
        }
    }
}

TEST_CASE("a refined mesh is refined: nothing is left to do") {
    for (const NamedMesh& named : meshes()) {
        INFO(named.name);
        const Rules rules = rules_of(named.mesh, 30);
        Mesh once = named.mesh;
        refine_on_cpu(once, rules, 2, all_rounds);
        Mesh twice = once;
        EdgeId refined = 0;
        refine_on_cpu(twice, rules, 2, [&](const Round& r) {
            refined += r.refined;
            return true;
        });
        CHECK(refined == 0);
    }
}

TEST_CASE("angles up to 20.7 degrees are reached everywhere where the boundary has no sharp corners") {
    for (const NamedMesh& named : meshes()) {
        if (named.name.find("wedge") != std::string::npos || named.name.find("limit") != std::string::npos ||
            named.name.find("flat triangle") != std::string::npos ||
            named.name.find("between") != std::string::npos)
            continue;
        INFO(named.name);
        const Rules rules = rules_of(named.mesh, 20.7);
        Mesh refined = named.mesh;
        CHECK(refine_on_cpu(refined, rules, 2, all_rounds).left == 0);
        CHECK(dmr::verify_refinement(named.mesh, refined, rules).smallest_angle >= 20.699);
    }
}

TEST_CASE("the proof of a refined mesh finds 100 of 100 planted faults") {
    const Mesh input = lattice(30, 30, 0x1p18, 0x1p16, 0.4, 9);
    const Rules rules = rules_of(input, 30);
    Mesh good = input;
    refine_on_cpu(good, rules, 2, all_rounds);
    REQUIRE(dmr::verify_refinement(input, good, rules).problem == "");
    const auto given = static_cast<std::int32_t>(input.points.size());
    std::mt19937 random(11);
    int found = 0;
    for (int i = 0; i < 100; ++i) {
        Mesh planted = good;
        const auto some = [&](std::size_t size) { return random() % size; };
        std::size_t at = some(planted.triangles.size());
        Triangle& triangle = planted.triangles[at];
        switch (i % 10) {
            case 0:  // a point of the input is moved
                planted.points[some(input.points.size())].x += 1;
                break;
            case 1:  // a triangle is lost
                triangle = planted.triangles.back();
                planted.triangles.pop_back();
                break;
            case 2:  // a triangle is turned around
                std::swap(triangle.corner[0], triangle.corner[1]);
                break;
            case 3:  // a triangle occurs twice
                planted.triangles.push_back(triangle);
                break;
            case 4:  // a corner is not a point
                triangle.corner[some(3)] =
                    i % 20 < 10 ? -1 : static_cast<std::int32_t>(planted.points.size());
                break;
            case 5: {  // a triangle has another corner
                std::int32_t& corner = triangle.corner[some(3)];
                corner = (corner + 1) % given;
                break;
            }
            case 6: {  // an edge is flipped
                while (planted.triangles[at].twin[0] == none) at = (at + 1) % planted.triangles.size();
                Triangle& here = planted.triangles[at];
                const std::int32_t half = here.twin[0];
                Triangle& there = planted.triangles[static_cast<std::size_t>(half >> 2)];
                const std::int32_t far = there.corner[half & 3], apex = here.corner[0];
                const std::int32_t from = here.corner[1], to = here.corner[2];
                std::copy_n(std::array{apex, from, far}.data(), 3, here.corner);
                std::copy_n(std::array{far, to, apex}.data(), 3, there.corner);
                break;
            }
            case 7:  // a new point of the boundary is moved
                for (const Triangle& t : planted.triangles) {
                    for (int e = 0; e < 3; ++e) {
                        const std::int32_t v = t.corner[(e + 1) % 3];
                        if (t.twin[e] == none && v >= given && random() % 8 == 0) {
                            planted.points[static_cast<std::size_t>(v)].y += 64;
                            e = 3;
                        }
                    }
                }
                break;
            case 8:  // a point is in no triangle
                planted.points.push_back(planted.points.back());
                break;
            default:  // the mesh is refined to fewer degrees
                planted = input;
                refine_on_cpu(planted, rules_of(input, 20 + i / 12), 1, all_rounds);
        }
        const std::string problem = dmr::verify_refinement(input, planted, rules).problem;
        INFO("fault " << i);
        CHECK(problem != "");
        found += !problem.empty();
    }
    CHECK(found == 100);
}

TEST_CASE("meshes that are none are refused with the triangle") {
    const std::vector<Point> square{{0, 0}, {10, 0}, {10, 10}, {0, 10}};
    const auto fault = [&](const std::vector<std::int32_t>& corners) -> std::int64_t {
        try {
            make_mesh(square, corners);
        } catch (const MeshError& e) {
            return static_cast<std::int64_t>(e.triangle);
        }
        return -1;
    };
    CHECK(fault({0, 1, 2, 0, 2, 3}) == -1);
    CHECK(fault({0, 2, 1, 0, 2, 3}) == -1);  // the clockwise triangle is turned around
    CHECK(fault({0, 1, 2, 0, 2, 2}) == 1);
    CHECK(fault({0, 1, 2, 1, 2, 0}) == 1);
    CHECK(fault({0, 1, 2, 0, 1, 3}) == 1);
}

TEST_CASE("a grid keeps what are multiples of its step, and rounds the rest to the nearest") {
    const std::vector<double> x{0, 1, 0.25, 0.1}, y{-3, 5, 1, 1e-3};
    const Grid grid = grid_of(x, y);
    CHECK(grid.step() == 0x1p-27);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Point p = grid.put(x[i], y[i]);
        CHECK(std::abs(grid.x_of(p) - x[i]) <= grid.step() / 2);
        CHECK(std::abs(grid.y_of(p) - y[i]) <= grid.step() / 2);
        if (i < 3) {
            CHECK(grid.x_of(p) == x[i]);
            CHECK(grid.y_of(p) == y[i]);
        }
    }
    const std::vector<double> unit{0, 1};
    CHECK(grid_of(unit, unit).step() == 0x1p-30);
    // The grid is no finer than double precision at this value.
    const std::vector<double> far{1e15, 1e15 + 1};
    CHECK(grid_of(far, far).step() == 0.125);
    const std::vector<double> one{7, 7};
    CHECK_THROWS_AS(grid_of(one, one), Error);
}
