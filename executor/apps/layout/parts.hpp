// A graph as its connected components, and their drawings side by side.
#pragma once

#include "lockstep/executor/layout/paths.hpp"
#include "lockstep/executor/layout/tournament.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep::layout {

/// The undirected graph with the vertices of a component one after another: the largest first, then by their smallest
/// vertex. Of parallel edges the shortest counts, loops do not.
struct Parts {
    structure::Undirected graph;  ///< graph.order: position -> vertex
    std::vector<VertexId> first;  ///< position where each component begins, and the number of vertices
    double scale = 1;             ///< a power of two that makes the longest edge one of 1 to 2

    std::size_t size() const { return first.size() - 1; }
    Component component(std::size_t i) const {
        return {graph.view(), first[i], first[i + 1] - first[i], scale};
    }
};

/// O(arcs) on all threads. All weights must be above zero.
Parts parts_of(const Graph& graph, int threads);

/// Moves drawings next to each other, in rows: none overlaps another, the first two coordinates of all begin at 0, and
/// between two lies a gap of `gap`.
void place_side_by_side(std::vector<Positions>& drawings, const Parts& parts, float gap);

}  // namespace lockstep::layout
