// Kernels that list edges for the computation of a minimum spanning forest (forest.hpp): first the light
// edges, later the remaining edges between different trees. A thread block handles one tile of arcs
// (tiles.cuh). It first finds the arcs to be listed, and then distributes them evenly over its threads,
// because they are few.
#pragma once

#include "lockstep/executor/structure/picks.cuh"

namespace lockstep::structure {

/// Computes the threshold for light arcs from a sample of 1,024 arcs: the largest key such that at most
/// `wanted` sampled keys are smaller. If there are few different weights, or no weights, the index in the key
/// makes the difference.
__global__ void find_threshold(const __grid_constant__ ForestState s, EdgeId arcs, int wanted) {
    std::uint32_t drawn = (threadIdx.x + 1) * 2654435761U;
    drawn = (drawn ^ drawn >> 16) * 2246822519U;
    drawn ^= drawn >> 13;
    const unsigned long long mine = s.key(EdgeId{drawn} * arcs >> 32);
    unsigned long long threshold = 0;
    for (unsigned long long bit = 1ULL << 63; bit; bit >>= 1) {
        if (__syncthreads_count(mine < (threshold | bit)) <= wanted) threshold |= bit;
    }
    if (threadIdx.x == 0) s.words->threshold = threshold;
}

/// The arcs of a tile that are to be listed, as indices relative to the tile's first arc.
struct FoundArcs {
    std::uint16_t arcs[tile_room];
    unsigned size;
};

/// Appends the found arcs that lead to another tree to the list of edges. An edge is listed from its smaller
/// vertex. An edge to the giant tree is listed from its other vertex; if that one is the larger vertex, the
/// arc in the opposite direction must be found by a binary search. All threads of the block must call this
/// function.
__device__ __forceinline__ void list_found(const ForestState& s, const Tile& tile, const FoundArcs& found,
                                           Edge* edges) {
    __shared__ BlockReservation place;
    const VertexId giant = s.words->giant;
    __syncthreads();
    for (unsigned base = 0; base < found.size; base += block_threads) {
        Edge edge{};
        if (base + threadIdx.x < found.size) {
            const EdgeId e = tile.begin + found.arcs[base + threadIdx.x];
            const VertexId v = tile.row_of(e), end = __ldg(s.graph.ends + e);
            const VertexId a = __ldg(s.parents + v), b = __ldg(s.parents + end);
            EdgeId number = e;
            if (end < v && b == giant) {
                EdgeRange theirs = s.graph.edges_of(end);
                while (theirs.size() > 1) {
                    const EdgeId middle = theirs.first + theirs.size() / 2;
                    (__ldg(s.graph.ends + middle) <= v ? theirs.first : theirs.last) = middle;
                }
                number = theirs.first;
            }
            if (v < end || b == giant) edge = {a, b, s.bits(e), static_cast<std::uint32_t>(number)};
        }
        const bool between = edge.a != edge.b;
        const unsigned at = place.of(between, s.words->sizes, worklist::Append::block);
        if (between) edges[at] = edge;
    }
}

/// Lists the edges whose keys are at most the threshold.
__global__ void __launch_bounds__(block_threads)
    list_light(const __grid_constant__ ForestState s, Edge* edges) {
    constexpr unsigned together = 8;
    __shared__ FoundArcs found;
    const Tile tile(s.graph, s.tiles);
    const unsigned long long threshold = s.words->threshold;
    if (threadIdx.x == 0) found.size = 0;
    __syncthreads();
    const auto count = static_cast<unsigned>(tile.end - tile.begin);
    for (unsigned base = threadIdx.x; base < count; base += together * block_threads) {
        unsigned long long keys[together];
#pragma unroll
        for (unsigned i = 0; i < together; ++i) {
            const unsigned at = base + i * block_threads;
            keys[i] = at < count ? s.key(tile.begin + at) : ~0ULL;
        }
#pragma unroll
        for (unsigned i = 0; i < together; ++i) {
            if (keys[i] <= threshold)
                found.arcs[atomicAdd(&found.size, 1U)] = static_cast<std::uint16_t>(base + i * block_threads);
        }
    }
    list_found(s, tile, found, edges);
}

/// The lightest arc from a vertex to the giant tree that a lane has found.
struct LightestArc {
    std::uint32_t bits = ~0U, arc = no_vertex;
};

/// Lists the edges that leave a tree other than the giant one. Of the edges of one vertex to the giant tree,
/// only the lightest in the tile is listed, because every other one would close a cycle in which it is the
/// heaviest edge. An edge to the giant tree is only visited from its other endpoint.
__global__ void __launch_bounds__(block_threads)
    list_rest(const __grid_constant__ ForestState s, Edge* edges) {
    constexpr unsigned few = 8;
    __shared__ FoundArcs found;
    const Tile tile(s.graph, s.tiles);
    const VertexId giant = s.words->giant;
    if (threadIdx.x == 0) found.size = 0;
    __syncthreads();
    /// Returns true if arc e of v leads to another tree that is not the giant one, and is listed from v.
    /// Updates the lightest arc to the giant tree.
    const auto keeps = [&](bool is, VertexId v, VertexId root, EdgeId e, LightestArc& to_giant) {
        const VertexId end = is ? __ldg(s.graph.ends + e) : v;
        const std::uint32_t bits = is ? s.bits(e) : ~0U;
        const VertexId other = is ? __ldg(s.parents + end) : root;
        if (other == giant && bits < to_giant.bits) to_giant = {bits, static_cast<std::uint32_t>(e)};
        return other != root && other != giant && v < end;
    };
    const auto place_in_tile = [&](EdgeId e) { return static_cast<std::uint16_t>(e - tile.begin); };
    tile.for_each_vertex([&](VertexId v, bool here) {
        const VertexId root = here ? __ldg(s.parents + v) : giant;
        const bool looks = here && root != giant;
        const EdgeRange edges = tile.edges_if(looks, v);
        LightestArc to_giant;
        if (looks && edges.size() <= few) {
            unsigned kept = 0;
#pragma unroll
            for (unsigned i = 0; i < few; ++i)
                kept |= unsigned{keeps(i < edges.size(), v, root, edges.first + i, to_giant)} << i;
            unsigned at = kept ? atomicAdd(&found.size, static_cast<unsigned>(__popc(kept))) : 0;
            for_each_bit(kept, [&](int i) {
                found.arcs[at++] = place_in_tile(edges.first + static_cast<unsigned>(i));
            });
        }
        for_each_list(edges.size() > few, edges, [&](int lane, const EdgeRange& list) {
            const VertexId owner = __shfl_sync(~0U, v, lane), its_root = __shfl_sync(~0U, root, lane);
            LightestArc of_lane;
            for (EdgeId e = list.first + lane_of_warp(); e - lane_of_warp() < list.last; e += 32) {
                const bool kept = keeps(e < list.last, owner, its_root, e, of_lane);
                append(found.arcs, &found.size, kept, place_in_tile(e));
            }
            const std::uint32_t arc = lightest_of_warp(of_lane.bits, of_lane.arc);
            if (lane_of_warp() == static_cast<unsigned>(lane)) to_giant.arc = arc;
        });
        append(found.arcs, &found.size, to_giant.arc != no_vertex, place_in_tile(to_giant.arc));
    });
    list_found(s, tile, found, edges);
}

}  // namespace lockstep::structure
