// Clusters of a graph: sets of a few neighbouring vertices, and the graph of these sets.
#pragma once

#include <span>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// The neighbours of every vertex, in CSR format. An arc may be present in one direction only.
struct Neighbourhood {
    std::span<const EdgeId> first;  ///< CSR offsets; vertices + 1 entries
    std::span<const VertexId> neighbour;

    VertexId vertices() const { return static_cast<VertexId>(first.size() - 1); }
    std::span<const VertexId> of(VertexId v) const {
        return neighbour.subspan(first[v], first[v + EdgeId{1}] - first[v]);
    }
};

struct Clusters {
    /// Maximum number of vertices of a cluster; clusters grow to half of it, then may absorb small ones.
    static constexpr VertexId most = 64;

    Array<VertexId> of_vertex;
    std::vector<std::uint32_t> size;  ///< cluster -> number of vertices
    /// The neighbours of every cluster in CSR format: clusters to which it has arcs, each at least once, and
    /// clusters that have arcs to it.
    std::vector<EdgeId> first;
    Array<VertexId> neighbour;
    EdgeId arcs_inside = 0;

    Neighbourhood neighbours() const { return {first, neighbour}; }
};

/// Finds clusters by breadth-first growth in the order of the vertex IDs, within ranges of vertices that
/// different threads process. A small cluster joins a neighbour. The result is the same for any number of
/// threads. `both_ways`: every arc is present in both directions. O(vertices + arcs); 4 bytes per vertex, and
/// at most 8 per arc between clusters.
Clusters find_clusters(const Neighbourhood& graph, bool both_ways);

}  // namespace lockstep
