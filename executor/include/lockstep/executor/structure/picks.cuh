// The first step of the computation of a minimum spanning forest (forest.hpp) on a GPU: every vertex picks
// its lightest arc, and the picked arcs join the vertices to trees.
#pragma once

#include "lockstep/executor/structure/boruvka.cuh"
#include "lockstep/executor/structure/tiles.cuh"

namespace lockstep::structure {

struct ForestState {
    UndirectedView graph;
    Tiles tiles;
    VertexId* parents;
    std::uint32_t* picks;   ///< arc that each vertex has picked; no_vertex: none
    std::uint32_t* chosen;  ///< one arc of each edge of the forest
    ForestWords* words;

    __device__ __forceinline__ std::uint32_t bits(EdgeId e) const {
        return graph.weights ? ordered_bits(__ldg(graph.weights + e)) : 0;
    }
    /// Returns the key of an edge; `e` is its arc from the smaller vertex.
    __device__ __forceinline__ unsigned long long key(EdgeId e) const {
        return static_cast<unsigned long long>(bits(e)) << 32 | e;
    }
};

/// Returns the lightest of the arcs that the lanes have found, or no_vertex if there is none. Each lane
/// passes the bits of its arc's weight and the arc's index. Of arcs with equal weight, the first one is
/// returned; the arcs of a vertex are stored in the order that decides between edges of equal weight. All
/// lanes must call it.
__device__ __forceinline__ std::uint32_t lightest_of_warp(std::uint32_t bits, std::uint32_t arc) {
    return min_of_warp(bits == min_of_warp(bits) ? arc : no_vertex);
}

/// Makes every vertex a tree of its own. Picks the lightest arc of each vertex with at most `most` arcs; a
/// hub with more arcs picks none, but its neighbours may pick it.
__global__ void __launch_bounds__(block_threads)
    pick_arcs(const __grid_constant__ ForestState s, unsigned most) {
    constexpr unsigned few = 8, together = 4;
    const VertexId v = vertex_of_thread();
    const bool here = v < s.graph.vertices;
    const EdgeRange edges = edges_if(here, s.graph, v);
    const auto degree = edges.size() <= most ? static_cast<unsigned>(edges.size()) : 0;
    std::uint32_t pick = no_vertex;
    if (degree <= few || !s.graph.weights) {
        std::uint32_t least = ~0U;
#pragma unroll
        for (unsigned i = 0; i < few; ++i) {
            const std::uint32_t bits = i < degree ? s.bits(edges.first + i) : ~0U;
            if (bits < least) least = bits, pick = static_cast<std::uint32_t>(edges.first + i);
        }
    }
    for_each_list(s.graph.weights && degree > few, edges, [&](int lane, const EdgeRange& list) {
        std::uint32_t least = ~0U, lightest = no_vertex;
        for (EdgeId base = list.first; base < list.last; base += 32 * together) {
#pragma unroll
            for (unsigned i = 0; i < together; ++i) {
                const EdgeId at = base + 32 * i + lane_of_warp();
                const std::uint32_t bits = at < list.last ? s.bits(at) : ~0U;
                if (bits < least) least = bits, lightest = static_cast<std::uint32_t>(at);
            }
        }
        lightest = lightest_of_warp(least, lightest);
        if (lane_of_warp() == static_cast<unsigned>(lane)) pick = lightest;
    });
    if (!here) return;
    s.parents[v] = v;
    s.picks[v] = pick;
    s.tiles.mark(s.graph, v);
}

/// Makes the other endpoint of each vertex's pick the parent of the vertex. If two vertices have picked the
/// same edge, the smaller one remains a root.
__global__ void __launch_bounds__(block_threads) hook_by_picks(const __grid_constant__ ForestState s) {
    __shared__ BlockReservation place;
    const VertexId v = vertex_of_thread();
    const std::uint32_t arc = v < s.graph.vertices ? s.picks[v] : no_vertex;
    bool hooks = arc != no_vertex;
    if (hooks) {
        const VertexId end = __ldg(s.graph.ends + arc);
        const std::uint32_t back = s.picks[end];
        hooks = back == no_vertex || v > end || __ldg(s.graph.ends + back) != v;
        if (hooks) s.parents[v] = end;
    }
    const unsigned at = place.of(hooks, &s.words->chosen, worklist::Append::block);
    if (hooks) s.chosen[at] = arc;
}

}  // namespace lockstep::structure
