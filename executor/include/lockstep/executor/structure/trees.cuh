// Operations on trees of vertices (trees.hpp) that connected components and spanning forests share on a GPU.
#pragma once

#include "lockstep/executor/structure/device.cuh"

namespace lockstep::structure {

/// Makes every vertex a tree of its own.
static __global__ void start_alone(VertexId* parents, VertexId vertices) {
    const VertexId v = vertex_of_thread();
    if (v < vertices) parents[v] = v;
}

/// Returns the root of v, and makes it the parent of v. The first loads may use the L1 cache: a stale parent
/// is also an ancestor, though a lower one. On longer paths, every thread stores its progress, so that the
/// steps of the other threads become twice as long.
__device__ __forceinline__ VertexId shorten_path(VertexId* parents, VertexId v) {
    const VertexId first = __ldca(parents + v);
    VertexId root = first, above = __ldca(parents + root);
    for (int steps = 0; steps < 16 && above != root; ++steps) root = above, above = __ldca(parents + root);
    for (; above != root; above = peek(parents + root)) put(parents + v, root = above);
    if (root != first) put(parents + v, root);
    return root;
}
static __global__ void shorten(VertexId* parents, VertexId vertices) {
    const VertexId v = vertex_of_thread();
    if (v < vertices) shorten_path(parents, v);
}

/// Stores the most frequent root of up to 32 sampled vertices that have neighbours, or no_vertex if it occurs
/// fewer than six times.
static __global__ void find_giant(const UndirectedView g, const VertexId* parents, VertexId* giant) {
    VertexId sampled = no_vertex;
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
        std::uint32_t drawn = (lane_of_warp() * 8 + i + 1) * 2654435761U;
        drawn = (drawn ^ drawn >> 15) * 2246822519U;
        drawn ^= drawn >> 13;
        const auto v = static_cast<VertexId>(EdgeId{drawn} * g.vertices >> 32);
        if (g.degree(v) > 0) sampled = v;
    }
    const VertexId root = sampled == no_vertex ? no_vertex - 1 - lane_of_warp() : parents[sampled];
    const unsigned alike = __match_any_sync(~0U, root);
    const auto count = static_cast<unsigned>(__popc(alike)), most = most_of(~0U, count);
    const unsigned those = __ballot_sync(~0U, count == most);
    if (lane_of_warp() == static_cast<unsigned>(__ffs(static_cast<int>(those))) - 1)
        *giant = most >= 6 ? root : no_vertex;
}

}  // namespace lockstep::structure
