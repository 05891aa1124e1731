// Small meshes; the name of each is the case that it tests.
#pragma once

#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "lockstep/executor/mesh/rounds.hpp"

namespace lockstep::test {

struct NamedMesh {
    std::string name;
    mesh::Mesh mesh;
};

/// Returns a lattice of cells dx x dy whose points are moved at random, with two triangles per cell, flipped
/// to Delaunay.
inline mesh::Mesh lattice(int width, int height, double dx, double dy, double turned, std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto shift = [&] { return (random() / 4294967296.0 - 0.5) * 0.45; };
    std::vector<mesh::Point> points;
    for (int j = 0; j <= height; ++j) {
        for (int i = 0; i <= width; ++i) {
            const bool rim = i == 0 || j == 0 || i == width || j == height;
            const double x = (i + (rim ? 0 : shift())) * dx, y = (j + (rim ? 0 : shift())) * dy;
            points.push_back(
                {static_cast<std::int32_t>(std::lround(0x1p30 + x * std::cos(turned) - y * std::sin(turned))),
                 static_cast<std::int32_t>(
                     std::lround(0x1p30 + x * std::sin(turned) + y * std::cos(turned)))});
        }
    }
    std::vector<std::int32_t> corners;
    for (int j = 0; j < height; ++j) {
        for (int i = 0; i < width; ++i) {
            const std::int32_t a = j * (width + 1) + i, b = a + 1, c = b + width + 1, d = c - 1;
            for (const std::int32_t v : {a, b, c, a, c, d}) corners.push_back(v);
        }
    }
    return mesh::make_mesh(points, corners);
}

/// Returns a hub and points on a circle around it, over an angle; the circle is closed if the angle is 360
/// degrees.
inline mesh::Mesh wheel(int spokes, double angle, double radius) {
    std::vector<mesh::Point> points{{1 << 30, 1 << 30}};
    const bool closed = angle >= 360;
    for (int i = 0; i < spokes + !closed; ++i) {
        const double at = angle * std::numbers::pi / 180 * i / spokes;
        points.push_back({static_cast<std::int32_t>(std::lround(0x1p30 + radius * std::cos(at))),
                          static_cast<std::int32_t>(std::lround(0x1p30 + radius * std::sin(at)))});
    }
    std::vector<std::int32_t> corners;
    for (int i = 0; i < spokes; ++i)
        for (const std::int32_t v : {0, i + 1, closed && i + 1 == spokes ? 1 : i + 2}) corners.push_back(v);
    return mesh::make_mesh(points, corners);
}

inline std::vector<NamedMesh> meshes() {
    constexpr std::int32_t o = 1 << 30, k = 1 << 20;
    return {
        {"two good triangles: nothing to do", lattice(1, 1, 0x1p20, 0x1p20, 0, 1)},
        {"one triangle, its angle between two segments", wheel(1, 10, 0x1p25)},
        {"one flat triangle: its centre far beside it",
         mesh::make_mesh({{o, o}, {o + 1000 * k, o}, {o + 500 * k, o + k}}, std::vector{0, 1, 2})},
        {"two flat triangles: centres beside the grid",
         mesh::make_mesh({{0, o}, {2047 * k, o}, {o, o + 2}, {o, o - 2}}, std::vector{0, 1, 2, 1, 0, 3})},
        {"a lattice: cocircular points", lattice(8, 8, 0x1p22, 0x1p22, 0, 3)},
        {"flat cells: slivers", lattice(40, 60, 0x1p22, 0x1p18, 0, 4)},
        {"turned: midpoints beside the boundary", lattice(30, 30, 0x1p16, 0x1p18, 0.7, 5)},
        {"steps of a few units: the grid's own limit", lattice(20, 20, 40, 9, 0.3, 6)},
        {"a wheel: large cavities", wheel(700, 360, 0x1p27)},
        {"a wedge of 10 degrees", wheel(12, 10, 0x1p28)},
        {"a wedge of 50 degrees: segments that encroach upon each other", wheel(100, 50, 0x1p28)},
        {"a hole", mesh::make_mesh(
                       {{o, o},
                        {o + 9 * k, o},
                        {o + 9 * k, o + 9 * k},
                        {o, o + 9 * k},
                        {o + k, o + k},
                        {o + 6 * k, o + k},
                        {o + 6 * k, o + 2 * k},
                        {o + k, o + 2 * k}},
                       std::vector{0, 1, 4, 1, 5, 4, 1, 2, 5, 2, 6, 5, 2, 3, 6, 3, 7, 6, 3, 0, 7, 0, 4, 7})},
        {"more than a round takes", lattice(120, 120, 0x1p20, 0x1p17, 0.1, 7)},
    };
}

/// Returns rules with small rounds, so that small meshes take several rounds, too.
inline mesh::Rules rules_of(const mesh::Mesh& mesh, double degrees) {
    return {mesh::rule_of(mesh, degrees), 512, 4};
}

}  // namespace lockstep::test
