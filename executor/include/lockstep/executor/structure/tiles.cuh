// A graph's arcs in tiles of equal work, one a block of a GPU, wherever the hubs are: a hub is in many tiles.
// Where blocks take vertices instead, and arcs need not be few, the block of the hubs takes as long as all.
//
// A vertex counts as eight arcs: its items are its arcs, and then eight of its own. So many items in turn are
// a tile, which has few vertices, then. (Merrill and Garland, "Merge-based parallel sparse matrix-vector
// multiplication", SC 2016, with one item a vertex.)
#pragma once

#include <algorithm>
#include <bit>

#include "lockstep/executor/structure/device.cuh"

namespace lockstep::structure {

inline constexpr EdgeId vertex_items = 8;
inline constexpr unsigned least_tile = 10, largest_tile = 13;  ///< bits
inline constexpr unsigned tile_room = 1U << largest_tile;      ///< arcs of a tile at most

struct Tiles {
    VertexId* rows;  ///< of the first item of each tile; then the last vertex
    unsigned bits;   ///< 2^bits items a tile
    unsigned count;

    /// For every vertex once, before tiles are looked at.
    __device__ __forceinline__ void mark(const UndirectedView& g, VertexId v) const {
        const EdgeRange edges = g.edges_of(v);
        const EdgeId begin = edges.first + vertex_items * v;
        const EdgeId end = edges.last + vertex_items * (v + EdgeId{1});
        for (EdgeId tile = (begin + (EdgeId{1} << bits) - 1) >> bits; tile << bits < end; ++tile)
            rows[tile] = v;
        if (v + 1 == g.vertices) rows[count] = v;
    }
};

/// Some thousand tiles, or small ones. `rows`: their memory from here on.
inline Tiles tiles_of(const Undirected& plan, gpu::Buffer<VertexId>& rows) {
    const EdgeId items = plan.arcs() + vertex_items * plan.vertices;
    const unsigned bits =
        std::clamp(static_cast<unsigned>(std::bit_width(items >> largest_tile)), least_tile, largest_tile);
    const auto count = checked_cast<unsigned>((items + (EdgeId{1} << bits) - 1) >> bits, "tiles of arcs");
    rows = gpu::Buffer<VertexId>(count + EdgeId{1});
    return {rows.data(), bits, count};
}
inline EdgeId bytes_of_tiles(const Undirected& plan) {
    return 4 * ((plan.arcs() + vertex_items * plan.vertices) >> least_tile) + 8;
}

/// That of a block.
struct Tile {
    const UndirectedView& graph;
    VertexId first, last;  ///< vertices that it has arcs of, if they have any
    EdgeId begin, end;     ///< arcs

    __device__ __forceinline__ Tile(const UndirectedView& g, const Tiles& tiles)
        : graph(g), first(tiles.rows[blockIdx.x]), last(tiles.rows[blockIdx.x + 1]) {
        const EdgeId from = EdgeId{blockIdx.x} << tiles.bits, to = from + (EdgeId{1} << tiles.bits);
        begin = min(from - vertex_items * first, g.offsets[first + EdgeId{1}]);
        end = min(to - vertex_items * last, g.offsets[last + EdgeId{1}]);
    }
    /// Those of v's edges that are in it, if there is a vertex.
    __device__ __forceinline__ EdgeRange edges_if(bool here, VertexId v) const {
        const EdgeRange edges = gpu::edges_if(here, graph, v);
        return here ? EdgeRange{max(edges.first, begin), min(edges.last, end)} : edges;
    }
    /// The vertex that an arc of the tile is one of.
    __device__ __forceinline__ VertexId row_of(EdgeId arc) const {
        return lockstep::row_of(graph.offsets, arc, first, last + 1);
    }
    /// Calls visit(vertex, whether there is one), a thread a vertex, all threads together.
    template <class Visit>
    __device__ __forceinline__ void each_vertex(Visit visit) const {
        for (EdgeId base = first; base <= last; base += block_threads) {
            const EdgeId v = base + threadIdx.x;
            visit(static_cast<VertexId>(v), v <= last);
        }
    }
};

}  // namespace lockstep::structure
