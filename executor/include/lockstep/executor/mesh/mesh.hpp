// Mesh: a triangulation of the plane, as refinement uses it.
//
// The corners of a triangle are in counter-clockwise order. Edge i of a triangle is opposite to its corner i
// and leads from corner i + 1 to corner i + 2. Half-edge 4 t + i is edge i of triangle t. `twin[i]` is the
// half-edge on the other side of edge i, or `none` if edge i is a segment of the boundary. The indices of
// triangles have no gaps: a cavity of k triangles is replaced by k + 2 triangles (k + 1 at a segment), which
// take the indices of the cavity and new indices at the end.
#pragma once

#include <span>
#include <vector>

#include "lockstep/executor/mesh/geometry.hpp"
#include "lockstep/executor/worklist/exclusive.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep::mesh {

inline constexpr std::int32_t none = -1;
/// Maximum number of triangles, because half-edges have 31-bit indices.
inline constexpr EdgeId max_triangles = EdgeId{1} << 29;

/// A triangle of 32 bytes, which is one memory sector of a GPU.
struct alignas(32) Triangle {
    std::int32_t corner[3];
    std::int32_t twin[3];
    std::uint64_t mark;  ///< key of the highest reservation in any round (worklist/exclusive.hpp)
};

/// State of a triangle: fine, bad (to be refined), or left (bad, but no point can be inserted).
enum class State : std::uint8_t { fine, bad, left };

struct Mesh {
    std::vector<Point> points;
    std::vector<Triangle> triangles;
};

/// An error in an input mesh; `triangle` is the index of the triangle.
struct MeshError : Error {
    MeshError(EdgeId at, const std::string& message) : Error(Failure::bad_input, message), triangle(at) {}
    EdgeId triangle;
};
/// Builds a mesh from points and the corners of triangles. Orders the corners counter-clockwise, finds twins,
/// and flips edges until the triangulation is Delaunay except for its boundary (Lawson 1977). Throws
/// MeshError if a triangle has no area, shares an edge with two others or with one on the same side, or
/// overlaps another one at a corner. O(triangles + flips)
Mesh make_mesh(std::vector<Point> points, std::span<const std::int32_t> corners);
/// Flips edges until the mesh is a Delaunay triangulation. Returns the number of flips.
EdgeId flip_to_delaunay(Mesh& mesh);

/// Returns the minimum of the lengths of all edges and of the distances of corners from boundary segments of
/// their triangles.
double smallest_feature(const Mesh& mesh);
/// Returns the rule for a minimum angle in degrees. Refinement makes no edge shorter than `shortest` grid
/// steps or, if `shortest` is 0, than a quarter of the smallest feature. This limit is at least four steps.
Rule rule_of(const Mesh& mesh, double degrees, double shortest = 0);
/// Returns the number of triangles whose smallest angle is too small, including triangles that the rule
/// exempts.
EdgeId small_angles(const Mesh& mesh, Rule rule);
/// Returns twice the area of the mesh, in squared steps of the grid.
__int128 doubled_area(const Mesh& mesh);

/// Returns the minimum priority of the triangles that a round processes. `bad` is the number of bad triangles
/// before the previous round or, for the first round, before this round. `full` and `part` are those of Rules
/// (rounds.hpp).
LOCKSTEP_HD std::uint32_t min_priority(std::uint64_t bad, std::uint64_t full, std::uint64_t part) {
    if (bad <= full) return 0;
    const std::uint64_t whole = std::uint64_t{1} << 32, least = whole / part, share = (full << 32) / bad;
    return static_cast<std::uint32_t>(whole - (share > least ? share : least));
}
/// Returns the priority of `triangle` in round `round`.
LOCKSTEP_HD std::uint32_t priority(std::int32_t triangle, std::uint32_t round) {
    return worklist::priority(static_cast<std::uint32_t>(triangle), round);
}
/// Returns the key with which `triangle` reserves its cavity in round `round`.
LOCKSTEP_HD worklist::Mark reservation(std::int32_t triangle, std::uint32_t round) {
    return worklist::key_of(static_cast<std::uint32_t>(triangle), round);
}

}  // namespace lockstep::mesh
