// The serial reference of a drawing: one term after another, with distances of its own; and a check of
// drawings. It shares only the random numbers (permutations, start), the step sizes and the update of one
// term with the kernels.
#pragma once

#include "apps/layout/drawing.hpp"

namespace lockstep::layout {

/// Returns the positions after sweeps 0 … `sweeps` - 1, in the serial order to which the schedule is
/// equivalent. `pivots` has those of each component, none if all pairs are terms.
/// O(sweeps x terms + vertices x edges).
Places reference_places(const Graph& graph, const Options& options, const Places* start, std::uint64_t sweeps,
                        const std::vector<std::vector<VertexId>>& pivots);

struct Proof {
    double stress = 0;
    /// The gradient of the stress, as the distance by which a vertex would move to the equilibrium of its own
    /// terms (to first order), divided by the length of the shortest edge: the root mean square over all
    /// vertices.
    double unrest = 0;
};
/// Computes the stress and the unrest in double precision, from the positions and the graph alone.
Proof measured(const Graph& graph, const Options& options, const Places& places,
               const std::vector<std::vector<VertexId>>& pivots);

}  // namespace lockstep::layout
