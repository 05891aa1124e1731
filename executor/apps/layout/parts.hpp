// Divides a graph into its connected components, and arranges their drawings side by side.
#pragma once

#include "lockstep/executor/layout/paths.hpp"
#include "lockstep/executor/layout/tournament.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep::layout {

/// The undirected graph with its vertices reordered so that each component is consecutive. The largest
/// component comes first; components of equal size are ordered by their smallest vertex. Of parallel edges,
/// only the shortest is kept; loops are removed.
struct Parts {
    structure::Undirected graph;  ///< the graph; graph.order is the original vertex at each position
    /// Position of the first vertex of each component; the last entry is the number of vertices.
    std::vector<VertexId> first;
    /// Power of two by which edge lengths are multiplied, so that the longest is from 1 to 2.
    double scale = 1;

    std::size_t size() const { return first.size() - 1; }
    Component component(std::size_t i) const {
        return {graph.view(), first[i], first[i + 1] - first[i], scale};
    }
};

/// Returns the components of a graph. O(arcs) on all threads. All weights must be above zero.
Parts parts_of(const Graph& graph, int threads);

/// Moves the drawings of the components so that they lie in rows without overlapping, with gaps of size
/// `gap`. The smallest value of each of the first two coordinates is 0.
void place_side_by_side(std::vector<Positions>& drawings, const Parts& parts, float gap);

}  // namespace lockstep::layout
