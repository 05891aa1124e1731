// Regions of a graph: sets of neighbouring vertices whose data fit in shared memory together. The local
// builder makes them by breadth-first search.
#pragma once

#include "clusters.hpp"
#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/builders.hpp"

namespace lockstep {

/// The endpoints of each edge. Rows and columns are numbered together, from 0 to vertices - 1.
struct EdgeEnds {
    VertexId vertices = 0;
    Array<VertexId> row, col;
};

/// Adjacency lists of all vertices, with each edge in both directions.
class Neighbours {
public:
    explicit Neighbours(const EdgeEnds& ends);
    const VertexId* begin(VertexId v) const { return all_.data() + first_[v]; }
    const VertexId* end(VertexId v) const { return all_.data() + first_[v + EdgeId{1}]; }
    Neighbourhood view() const { return {first_, all_}; }

private:
    std::vector<EdgeId> first_;
    Array<VertexId> all_;
};

/// The capacity of a region in bytes of shared memory, and the bytes that each vertex and each edge takes.
struct RegionSize {
    /// edge_bytes: for each edge that has both endpoints in the region.
    EdgeId capacity, vertex_bytes, edge_bytes;
};

/// Returns the shared memory that one tile can use, if options.regions_per_multiprocessor tiles share a
/// multiprocessor, and the bytes per vertex and edge. Used by the local schedule and by the tiled schedule of
/// one set of vertices.
RegionSize region_size(const SharedMemoryOptions& options);

/// The region of every vertex. A region grows by breadth-first search from the first vertex, by number, that
/// is in no region. It absorbs neighbours until its capacity is full. If it has no more neighbours, it
/// continues at the next vertex that is in no region. Therefore regions are compact, and vertices with nearby
/// numbers are mostly in the same region.
struct Regions {
    VertexId count = 0;
    Array<VertexId> of_vertex;
};
/// Grows the regions of a graph. A vertex whose own edges exceed the capacity forms a region alone. O(edges +
/// vertices) time, 8 bytes per edge and 16 per vertex.
Regions grow_regions(const EdgeEnds& ends, const RegionSize& size);

/// Implement Builder::refusal and likely_refusal() for the local schedule.
std::string refusal_of_local(const Graph& graph, const BuildOptions& options);
std::string likely_refusal_of_local(const GraphSummary& summary);
/// Implements Builder::refusal for the regions schedule.
std::string refusal_of_regions(const Graph& graph, const BuildOptions& options);

}  // namespace lockstep
