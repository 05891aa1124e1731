// Clusters of a graph: sets of a few neighbouring vertices, and the graph of these sets.
#pragma once

#include <span>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// The neighbours of every vertex; arcs may go one way only.
struct Neighbourhood {
    std::span<const EdgeId> first;  ///< vertices + 1 offsets
    std::span<const VertexId> neighbour;

    VertexId vertices() const { return static_cast<VertexId>(first.size() - 1); }
    std::span<const VertexId> of(VertexId v) const {
        return neighbour.subspan(first[v], first[v + EdgeId{1}] - first[v]);
    }
};

struct Clusters {
    static constexpr VertexId most = 64;  ///< vertices of a cluster; they grow to half of that

    Array<VertexId> of_vertex;
    std::vector<std::uint32_t> size;  ///< by cluster
    /// The clusters that a cluster has arcs to, each at least once, and those that have arcs to it.
    std::vector<EdgeId> first;
    Array<VertexId> neighbour;
    EdgeId arcs_inside = 0;

    Neighbourhood neighbours() const { return {first, neighbour}; }
};

/// Grown breadth-first in the order of the numbers, inside ranges of so many vertices that threads can share
/// the work; a small cluster joins a neighbour. The same for any number of threads. `both_ways`: every arc is
/// there in both directions. O(vertices + arcs), 4 bytes a vertex and at most 8 an arc between clusters.
Clusters find_clusters(const Neighbourhood& graph, bool both_ways);

}  // namespace lockstep
