// A serial reference of Delaunay mesh refinement, and the verification of a refined mesh. The verification
// shares no code with the refinement. The reference shares only three rules with the kernels: which triangles
// are bad, where a new point is placed, and the random priorities that select triangles and resolve conflicts
// in a round.
#pragma once

#include <string>

#include "lockstep/executor/mesh/rounds.hpp"

namespace lockstep::dmr {

/// Refines the mesh serially, in the same rounds as the strategies priority-locks and supersteps, with lists
/// of neighbours and a depth-first search for cavities.
mesh::Totals reference_refine(mesh::Mesh& mesh, const mesh::Rules& rules, const mesh::OnRound& on_round);

/// The result of verifying a refined mesh, and measures of its quality.
struct Quality {
    std::string problem;  ///< description of the first error; empty if the mesh is right
    double smallest_angle = 180;
    EdgeId left = 0;  ///< number of remaining bad triangles that the rules exempt
    EdgeId added = 0, segments = 0;
    __int128 area = 0;  ///< twice the area of the mesh, in squared steps of the grid
};
/// Verifies the mesh `refined`, a refinement of `input`:
/// - every triangle is counter-clockwise; triangles meet in whole edges, at most two at an edge;
/// - the boundary is that of the input: each segment is a chain of points in order, with a distance of at
/// most 1 + log2(length) / 2 steps from the segment; so the area is that of the input, exactly if the
/// boundary is parallel to the axes;
/// - every inner edge is Delaunay;
/// - the points of the input come first, have not moved, and still have triangles if they had any;
/// - no triangle is bad, except triangles that the rules exempt.
/// O(triangles log(triangles)).
Quality verify_refinement(const mesh::Mesh& input, const mesh::Mesh& refined, const mesh::Rules& rules);

}  // namespace lockstep::dmr
