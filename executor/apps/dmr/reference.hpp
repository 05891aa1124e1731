// A serial reference of mesh refinement, and the verification of a result. The verification shares no code
// with the refinement. The reference shares only three rules: which triangles are bad, where a new point is
// put, and the random priorities by which a round takes triangles and resolves conflicts.
#pragma once

#include <string>

#include "lockstep/executor/mesh/rounds.hpp"

namespace lockstep::dmr {

/// Refines the mesh in the same rounds, serially, with lists of neighbours and a depth-first search.
mesh::Totals reference_refine(mesh::Mesh& mesh, const mesh::Rules& rules, const mesh::OnRound& on_round);

/// The result of verifying a refined mesh.
struct Quality {
    std::string problem;  ///< the problem that was found; empty: the mesh is verified
    double smallest_angle = 180;
    EdgeId left = 0;  ///< number of bad triangles that the rules exempt
    EdgeId added = 0, segments = 0;
    __int128 area = 0;  ///< twice the area, in squared steps of the grid
};
/// Verifies `refined` against `input`. Each triangle is counter-clockwise. Triangles meet in whole edges, at
/// most two in one edge. The boundary is the input's: each segment is a chain of points in order, at most 1 +
/// log2(its length) / 2 steps away from the segment. So the area is the input's, exactly if the boundary is
/// parallel to the axes. Each inner edge is Delaunay. The input's points come first, unmoved, and all that
/// had triangles still have some. No triangle is bad except those that the rules exempt. O(triangles log
/// triangles).
Quality prove_refinement(const mesh::Mesh& input, const mesh::Mesh& refined, const mesh::Rules& rules);

}  // namespace lockstep::dmr
