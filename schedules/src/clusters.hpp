// Clusters of a graph: sets of at most 64 neighbouring vertices, and the graph whose vertices are these
// clusters. The regions builder works on the clusters, because they are far fewer than the vertices.
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

/// A partition of the vertices into clusters, and the adjacency lists of the clusters.
struct Clusters {
    /// Maximum number of vertices of a cluster. A cluster grows to half of this size; then it may absorb
    /// small neighbouring clusters.
    static constexpr VertexId most = 64;

    Array<VertexId> of_vertex;
    std::vector<std::uint32_t> size;  ///< cluster -> number of vertices
    /// Adjacency lists of the clusters in CSR format: the clusters to which a cluster has arcs (each at least
    /// once), and the clusters that have arcs to it.
    std::vector<EdgeId> first;
    Array<VertexId> neighbour;
    EdgeId arcs_inside = 0;

    Neighbourhood neighbours() const { return {first, neighbour}; }
};

/// Finds clusters by breadth-first growth from the first vertices, by ID, that are in no cluster yet. Threads
/// work on disjoint ranges of vertices, whose bounds do not depend on the number of threads, so the result is
/// the same for any number. A cluster that stays small joins a neighbouring one. `both_ways`: whether every
/// arc is present in both directions. O(vertices + arcs) time; 4 bytes per vertex, and at most 8 per arc
/// between clusters.
Clusters find_clusters(const Neighbourhood& graph, bool both_ways);

}  // namespace lockstep
