// Meshes: the Delaunay triangulation of random points.
#pragma once

#include <cstdint>

#include "lockstep/formats/mesh_file.hpp"

namespace lockstep::generate {

inline constexpr std::uint64_t most_points = 50'000'000;

/// The four corners of the unit square and `points` - 4 others in it, uniformly random multiples of 2^-30, no
/// two alike, numbered along a curve; and their triangles (Boost.Polygon's Voronoi diagram, which is exact
/// for whole numbers). O(points log points), about 1 KB a point.
MeshFile random_mesh(std::uint64_t points, std::uint64_t seed);

}  // namespace lockstep::generate
