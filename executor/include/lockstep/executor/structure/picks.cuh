// The first step of a spanning forest (forest.cuh) on a GPU: every vertex picks its lightest arc, and the
// picked arcs form trees.
#pragma once

#include "lockstep/executor/structure/boruvka.cuh"
#include "lockstep/executor/structure/tiles.cuh"

namespace lockstep::structure {

struct ForestState {
    UndirectedView graph;
    Tiles tiles;
    VertexId* parents;
    std::uint32_t* picks;   ///< picked arc of each vertex; no_vertex: none
    std::uint32_t* chosen;  ///< arcs of the forest
    ForestWords* words;

    __device__ __forceinline__ std::uint32_t bits(EdgeId e) const {
        return graph.weights ? ordered_bits(__ldg(graph.weights + e)) : 0;
    }
    /// Returns the key of an edge, given its arc from the smaller vertex.
    __device__ __forceinline__ unsigned long long key(EdgeId e) const {
        return static_cast<unsigned long long>(bits(e)) << 32 | e;
    }
};

/// Returns the lightest arc that the lanes have found, given its weight's bits and its index in each lane;
/// the first of several; no_vertex if no lane has one. All lanes call it. The arcs of a vertex are in the
/// order of edges of equal weight.
__device__ __forceinline__ std::uint32_t lightest_of_warp(std::uint32_t bits, std::uint32_t arc) {
    return least_of_warp(bits == least_of_warp(bits) ? arc : no_vertex);
}

/// Makes every vertex a tree, and picks the lightest arc of each vertex with at most `most` arcs. Hubs do not
/// pick; their neighbours do.
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
    each_list(s.graph.weights && degree > few, edges, [&](int lane, const EdgeRange& list) {
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

/// Hooks every vertex to the other endpoint of its pick. If two vertices pick the same edge, the smaller one
/// remains a root.
__global__ void __launch_bounds__(block_threads) hook_by_picks(const __grid_constant__ ForestState s) {
    __shared__ PlaceOfBlock place;
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
