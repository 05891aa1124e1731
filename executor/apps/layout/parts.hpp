// The connected components of a graph, and their drawings side by side.
#pragma once

#include "lockstep/executor/layout/paths.hpp"
#include "lockstep/executor/layout/tournament.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep::layout {

/// The undirected graph, in which the vertices of each component are consecutive. The largest component comes
/// first; components of one size are ordered by their smallest vertex. Of parallel edges only the shortest
/// counts, and loops do not.
struct Parts {
    structure::Undirected graph;  ///< graph.order is the vertex at each position
    std::vector<VertexId> first;  ///< position where each component begins, and the number of vertices
    double scale = 1;             ///< power of two that scales the longest edge to a length of 1 to 2

    std::size_t size() const { return first.size() - 1; }
    Component component(std::size_t i) const {
        return {graph.view(), first[i], first[i + 1] - first[i], scale};
    }
};

/// Returns the components of a graph. O(arcs) on all threads. All weights must be above zero.
Parts parts_of(const Graph& graph, int threads);

/// Moves drawings next to each other, in rows, so that they do not overlap and the gap between two is `gap`.
/// The first two coordinates begin at 0.
void place_side_by_side(std::vector<Positions>& drawings, const Parts& parts, float gap);

}  // namespace lockstep::layout
