// Divides the arcs of a graph into tiles of equal work, one per thread block. The arcs of a hub are spread
// over many tiles. If blocks got equal numbers of vertices instead, the block with the hubs would determine
// the time.
//
// The work on a vertex counts as much as that on eight arcs: its items are its arcs, followed by eight items
// of its own. A tile is a fixed number of consecutive items, so it also has few vertices (Merrill and
// Garland, "Merge-based parallel sparse matrix-vector multiplication", SC 2016, with one item per vertex).
#pragma once

#include <algorithm>
#include <bit>

#include "lockstep/executor/structure/device.cuh"

namespace lockstep::structure {

inline constexpr EdgeId vertex_items = 8;
/// binary logarithm of the number of items per tile: smallest and largest value
inline constexpr unsigned min_tile = 10, largest_tile = 13;
inline constexpr unsigned tile_room = 1U << largest_tile;  ///< maximum number of arcs per tile

struct Tiles {
    VertexId* rows;  ///< vertex of the first item of each tile, followed by the last vertex of the graph
    unsigned bits;   ///< binary logarithm of the number of items per tile
    unsigned count;

    /// Stores v as the first vertex of all tiles that begin in v. Must be called once per vertex, before
    /// tiles are read.
    __device__ __forceinline__ void mark(const UndirectedView& g, VertexId v) const {
        const EdgeRange edges = g.edges_of(v);
        const EdgeId begin = edges.first + vertex_items * v;
        const EdgeId end = edges.last + vertex_items * (v + EdgeId{1});
        for (EdgeId tile = (begin + (EdgeId{1} << bits) - 1) >> bits; tile << bits < end; ++tile)
            rows[tile] = v;
        if (v + 1 == g.vertices) rows[count] = v;
    }
};

/// Returns a division into several thousand tiles or, for a small graph, into fewer and smaller ones.
/// Allocates `rows`, which owns the memory.
inline Tiles tiles_of(const Undirected& plan, gpu::Buffer<VertexId>& rows) {
    const EdgeId items = plan.arcs() + vertex_items * plan.vertices;
    const unsigned bits =
        std::clamp(static_cast<unsigned>(std::bit_width(items >> largest_tile)), min_tile, largest_tile);
    const auto count = checked_cast<unsigned>((items + (EdgeId{1} << bits) - 1) >> bits, "tiles of arcs");
    rows = gpu::Buffer<VertexId>(count + EdgeId{1});
    return {rows.data(), bits, count};
}
inline EdgeId bytes_of_tiles(const Undirected& plan) {
    return 4 * ((plan.arcs() + vertex_items * plan.vertices) >> min_tile) + 8;
}

/// The tile of this thread block.
struct Tile {
    const UndirectedView& graph;
    VertexId first, last;  ///< first and last vertex of which the tile may have arcs
    EdgeId begin, end;     ///< range of the arcs in the tile

    __device__ __forceinline__ Tile(const UndirectedView& g, const Tiles& tiles)
        : graph(g), first(tiles.rows[blockIdx.x]), last(tiles.rows[blockIdx.x + 1]) {
        const EdgeId from = EdgeId{blockIdx.x} << tiles.bits, to = from + (EdgeId{1} << tiles.bits);
        begin = min(from - vertex_items * first, g.offsets[first + EdgeId{1}]);
        end = min(to - vertex_items * last, g.offsets[last + EdgeId{1}]);
    }
    /// Returns the arcs of v that are in the tile, or no arcs if not `here`.
    __device__ __forceinline__ EdgeRange edges_if(bool here, VertexId v) const {
        const EdgeRange edges = gpu::edges_if(here, graph, v);
        return here ? EdgeRange{max(edges.first, begin), min(edges.last, end)} : edges;
    }
    /// Returns the vertex to whose list an arc of the tile belongs.
    __device__ __forceinline__ VertexId row_of(EdgeId arc) const {
        return lockstep::row_of(graph.offsets, arc, first, last + 1);
    }
    /// Calls visit(vertex, whether it exists) for the vertices of the tile, with one thread per vertex. All
    /// threads of the block must call it.
    template <class Visit>
    __device__ __forceinline__ void for_each_vertex(Visit visit) const {
        for (EdgeId base = first; base <= last; base += block_threads) {
            const EdgeId v = base + threadIdx.x;
            visit(static_cast<VertexId>(v), v <= last);
        }
    }
};

}  // namespace lockstep::structure
