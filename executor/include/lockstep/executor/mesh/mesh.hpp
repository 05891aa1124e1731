// A triangulation of the plane as refinement works on it, and what a round needs of it.
//
// Triangles run counter-clockwise. Edge i of a triangle is opposite to its corner i and leads from corner
// i + 1 to corner i + 2; half-edge 4 t + i is edge i of triangle t. `twin[i]` is the half-edge on the other
// side, or `none` where edge i is a segment of the boundary. Places of triangles are never empty: a cavity
// of k triangles leaves k + 2, or k + 1 at a segment, which take its places and new ones at the end.
#pragma once

#include <span>
#include <vector>

#include "lockstep/executor/mesh/geometry.hpp"
#include "lockstep/executor/worklist/exclusive.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep::mesh {

inline constexpr std::int32_t none = -1;
/// Half-edges are of 31 bits.
inline constexpr EdgeId most_triangles = EdgeId{1} << 29;

/// 32 bytes, which one sector of a GPU's memory holds.
struct alignas(32) Triangle {
    std::int32_t corner[3];
    std::int32_t twin[3];
    std::uint64_t mark;  ///< the highest reservation of any round
};

enum class State : std::uint8_t { fine, bad, left };

struct Mesh {
    std::vector<Point> points;
    std::vector<Triangle> triangles;
};

/// Triangles given by their corners. Turns them counter-clockwise, finds twins, and flips edges until the
/// triangulation is Delaunay but for its boundary (Lawson 1977); O(triangles + flips). Throws MeshError with
/// the triangle at fault: without area, or sharing an edge with two others or with one of the same side, or
/// overlapping another one at a corner.
struct MeshError : Error {
    MeshError(EdgeId at, const std::string& message) : Error(Failure::bad_input, message), triangle(at) {}
    EdgeId triangle;
};
Mesh make_mesh(std::vector<Point> points, std::span<const std::int32_t> corners);
/// Edges that make_mesh flipped.
EdgeId flip_to_delaunay(Mesh& mesh);

/// The shortest edge, or the least distance of a corner from a segment of the boundary that its triangle has.
double smallest_feature(const Mesh& mesh);
/// What is bad where angles are to be of so many degrees, and edges no shorter than `shortest` steps; 0: than
/// a quarter of the smallest feature. No less than four steps.
Rule rule_of(const Mesh& mesh, double degrees, double shortest = 0);
/// Triangles whose smallest angle is too small, those among them that the rule lets be.
EdgeId small_angles(const Mesh& mesh, Rule rule);
/// Twice the area, in steps of the grid.
__int128 doubled_area(const Mesh& mesh);

/// The lowest priority that a round takes, where so many triangles were bad before it (rounds.hpp).
LOCKSTEP_HD std::uint32_t least_priority(std::uint64_t bad, std::uint64_t full, std::uint64_t part) {
    if (bad <= full) return 0;
    const std::uint64_t whole = std::uint64_t{1} << 32, least = whole / part, share = (full << 32) / bad;
    return static_cast<std::uint32_t>(whole - (share > least ? share : least));
}
/// Of a triangle in a round.
LOCKSTEP_HD std::uint32_t priority(std::int32_t triangle, std::uint32_t round) {
    return worklist::priority(static_cast<std::uint32_t>(triangle), round);
}
LOCKSTEP_HD worklist::Mark reservation(std::int32_t triangle, std::uint32_t round) {
    return worklist::key_of(static_cast<std::uint32_t>(triangle), round);
}

}  // namespace lockstep::mesh
