// Mesh refinement by other means: a serial reference, and the proof of a result. The proof shares no code
// with whoever refines; the reference only the rules of what is bad, and where a point is to come.
#pragma once

#include <string>

#include "lockstep/executor/mesh/rounds.hpp"

namespace lockstep::dmr {

/// The same rounds from lists of neighbours and recursion, serial.
mesh::Totals reference_refine(mesh::Mesh& mesh, const mesh::Rules& rules, const mesh::OnRound& on_round);

/// What a refined mesh was found to be.
struct Quality {
    std::string problem;  ///< empty: proved
    double smallest_angle = 180;
    EdgeId left = 0;  ///< bad triangles that the rules let be
    EdgeId added = 0, segments = 0;
    __int128 area = 0;  ///< twice, in steps of the grid
};
/// Proves `refined` against `input`: each triangle counter-clockwise; triangles meet in whole edges, two at
/// most; the boundary is the input's, each segment a chain of points in order, off it by 1 + log2(its length)
/// / 2 steps at most; so the area is the input's, and exactly where the boundary is parallel to the axes.
/// Each inner edge is Delaunay. The input's points come first, unmoved, and all that had triangles have. No
/// triangle is bad but those that the rules let be. O(triangles log triangles).
Quality prove_refinement(const mesh::Mesh& input, const mesh::Mesh& refined, const mesh::Rules& rules);

}  // namespace lockstep::dmr
