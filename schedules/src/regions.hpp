// Regions of a graph: sets of vertices that fit on chip together, grown along the edges.
#pragma once

#include "clusters.hpp"
#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/builders.hpp"

namespace lockstep {

/// The ends of edges by numbers 0 … vertices - 1, rows and columns alike.
struct EdgeEnds {
    VertexId vertices = 0;
    Array<VertexId> row, col;
};

/// The neighbours of every vertex.
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

/// What a region takes of its room.
struct RegionSize {
    EdgeId room, vertex_bytes, edge_bytes;  ///< edge: with both ends in the region
};

/// What `local` and tiles of one set have of a multiprocessor.
RegionSize region_size(const OnChipOptions& options);

/// The region of every vertex. Breadth-first: from the first vertex that is in none a region takes neighbours
/// until it is full, and goes on at the next such vertex where it runs out of them. So regions are as compact
/// as breadth-first search makes them, and vertices of neighbouring numbers come together.
struct Regions {
    VertexId count = 0;
    Array<VertexId> of_vertex;
};
/// O(edges + vertices), 8 bytes an edge and 16 a vertex. A vertex that is larger than the room is a region.
Regions grow_regions(const EdgeEnds& ends, const RegionSize& size);

/// Builder::refusal and likely_refusal of the local schedule.
std::string refusal_of_local(const Graph& graph, const BuildOptions& options);
std::string likely_refusal_of_local(const GraphSummary& summary);
/// Builder::refusal of the regions schedule.
std::string refusal_of_regions(const Graph& graph, const BuildOptions& options);

}  // namespace lockstep
