// Regions of a graph: sets of vertices that together fit in shared memory, grown along the edges.
#pragma once

#include "clusters.hpp"
#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/builders.hpp"

namespace lockstep {

/// The endpoints of edges, numbered 0 … vertices - 1 over rows and columns together.
struct EdgeEnds {
    VertexId vertices = 0;
    Array<VertexId> row, col;
};

/// The neighbours of every vertex, in both directions of the edges.
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

/// The capacity of a region in bytes, and the bytes that its vertices and edges use.
struct RegionSize {
    EdgeId room, vertex_bytes, edge_bytes;  ///< edge_bytes: per edge with both endpoints in the region
};

/// Returns the part of a multiprocessor's shared memory that a tile of `local`, or of one set of vertices,
/// can use.
RegionSize region_size(const OnChipOptions& options);

/// The region of every vertex. Regions grow breadth-first: starting at the first vertex that is in no region,
/// a region absorbs neighbours until it is full. If it runs out of neighbours, it continues at the next such
/// vertex. Regions are therefore as compact as breadth-first search makes them, and vertices with nearby
/// numbers are mostly in the same region.
struct Regions {
    VertexId count = 0;
    Array<VertexId> of_vertex;
};
/// Grows the regions. O(edges + vertices), 8 bytes per edge and 16 per vertex. A vertex that exceeds the
/// capacity forms its own region.
Regions grow_regions(const EdgeEnds& ends, const RegionSize& size);

/// Implement Builder::refusal and likely_refusal() for the local schedule.
std::string refusal_of_local(const Graph& graph, const BuildOptions& options);
std::string likely_refusal_of_local(const GraphSummary& summary);
/// Implements Builder::refusal for the regions schedule.
std::string refusal_of_regions(const Graph& graph, const BuildOptions& options);

}  // namespace lockstep
