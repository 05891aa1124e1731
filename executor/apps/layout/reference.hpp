// A drawing by other means: serial, a term after another, with distances of its own; and what proves one. It shares what is
// drawn (permutations, the start), the step sizes and the update of one term with the kernels, nothing else.
#pragma once

#include "apps/layout/drawing.hpp"

namespace lockstep::layout {

/// The positions that sweeps 0 … `sweeps` - 1 come to, in the order that the schedule is equivalent to. `pivots`: of each
/// component, empty where all pairs are terms. O(sweeps x terms + vertices x edges).
Places reference_places(const Graph& graph, const Options& options, const Places* start, std::uint64_t sweeps,
                        const std::vector<std::vector<VertexId>>& pivots);

struct Proof {
    double stress = 0;
    /// The gradient of the stress, in the length by which a vertex would move to where its own terms are at rest (to first
    /// order), over the shortest edge: the root mean square over vertices.
    double unrest = 0;
};
/// In double precision, from the positions and the graph alone.
Proof measured(const Graph& graph, const Options& options, const Places& places,
               const std::vector<std::vector<VertexId>>& pivots);

}  // namespace lockstep::layout
