// A serial reference of graph drawing, which processes one term after another and computes distances itself,
// and the evaluation of a drawing. Only the random numbers (permutations and initial positions), the step
// sizes and the update of one term are shared with the kernels.
#pragma once

#include "apps/layout/drawing.hpp"

namespace lockstep::layout {

/// Returns the positions after `sweeps` sweeps in the serial order that is equivalent to the parallel
/// schedule. `pivots` contains the pivots of each component; empty if its terms are all pairs. O(sweeps x
/// terms + vertices x edges).
VertexPositions reference_places(const Graph& graph, const Options& options, const VertexPositions* start,
                                 std::uint64_t sweeps, const std::vector<std::vector<VertexId>>& pivots);

struct Proof {
    double stress = 0;
    /// A measure of the remaining gradient of the stress. For each vertex, the gradient is converted to the
    /// distance by which the vertex would move to the minimum of its own terms (to first order), and divided
    /// by the length of the shortest edge. `rms_displacement` is the root mean square of these values.
    double rms_displacement = 0;
};
/// Computes the stress and the unrest of a drawing in double precision, using only the positions and the
/// graph.
Proof measure_drawing(const Graph& graph, const Options& options, const VertexPositions& places,
                      const std::vector<std::vector<VertexId>>& pivots);

}  // namespace lockstep::layout
