// Random meshes: the Delaunay triangulation of random points.
#pragma once

#include <cstdint>

#include "lockstep/formats/mesh_file.hpp"

namespace lockstep::generate {

inline constexpr std::uint64_t max_points = 50'000'000;

/// Returns a triangulation of the four corners of the unit square and `points` - 4 other points in it, which
/// are distinct uniformly random multiples of 2^-30. Points are numbered along a space-filling curve. Uses
/// Boost.Polygon's Voronoi diagram, which is exact for whole numbers. O(points log points) time, about 1 KB
/// per point.
MeshFile random_mesh(std::uint64_t points, std::uint64_t seed);

}  // namespace lockstep::generate
