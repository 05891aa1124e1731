// Triangle counting by lists (triangles.hpp) on a GPU: a thread merges two lists of kept neighbours. The
// edges of a vertex are distributed by nested parallelism (IrGL): to the vertex's thread, a part of a warp, a
// warp or a block, or evenly over the block together with those of the block's other vertices.
#pragma once

#include "lockstep/executor/csr/nested.cuh"
#include "lockstep/executor/structure/triangles/orientation.cuh"

namespace lockstep::structure {

/// Numbers of triangles: in the graph, and at each vertex (nullptr: not counted).
struct CountsView {
    unsigned long long *all, *by_vertex;
};

__device__ __forceinline__ void count_one(unsigned long long* counts, VertexId v, unsigned long long count) {
    if (count) atomicAdd(counts + v, count);
}

template <bool ByVertex>
__global__ void __launch_bounds__(block_threads)
    count_by_lists(const __grid_constant__ KeptView kept, const __grid_constant__ Shares shares,
                   const __grid_constant__ CountsView counts) {
    using Lists = Nested<block_threads, OwnedList<unsigned>>;
    __shared__ Lists lists;
    unsigned long long found = 0;
    /// Intersects the kept neighbours of `list.owner` with those of its neighbour ends[e].
    const auto intersect = [&](const Lists::List& list, unsigned e) {
        const VertexId v = kept.ends[e];
        const uint2 other = kept.tails[v];
        unsigned a = list.first, b = other.x, met = 0;
        if (a == list.last || b == other.y) return;
        VertexId x = kept.ends[a], y = kept.ends[b];
        for (;;) {
            if (x == y) {
                ++met;
                if (ByVertex) count_one(counts.by_vertex, x, 1);
            }
            const bool next_a = x <= y, next_b = y <= x;
            if (next_a) {
                if (++a == list.last) break;
                x = kept.ends[a];
            }
            if (next_b) {
                if (++b == other.y) break;
                y = kept.ends[b];
            }
        }
        found += met;
        if (ByVertex) count_one(counts.by_vertex, v, met), count_one(counts.by_vertex, list.owner, met);
    };
    for (EdgeId tile = EdgeId{blockIdx.x} * block_threads; tile < kept.vertices; tile += threads_of_grid()) {
        const VertexId u = static_cast<VertexId>(min(tile + threadIdx.x, EdgeId{kept.vertices}));
        const uint2 list = u < kept.vertices ? kept.tails[u] : make_uint2(0, 0);
        const bool some = list.y - list.x > 1;
        lists.each_number(shares, {list.x, some ? list.y : list.x, u}, intersect);
    }
    add_of_warp(counts.all, found);
}

}  // namespace lockstep::structure
