// Triangles by merging two lists in a thread; who takes the edges of a vertex is the balance (IrGL's nested
// parallelism): its own thread, part of a warp, a warp or its block, or all edges of a block's vertices are
// dealt out evenly.
#pragma once

#include "lockstep/executor/structure/triangles/orientation.cuh"

namespace lockstep::structure {

/// Numbers of triangles: of all, and by vertex (nullptr: not wanted).
struct CountsView {
    unsigned long long *all, *by_vertex;
};

__device__ __forceinline__ void count_one(unsigned long long* counts, VertexId v, unsigned long long count) {
    if (count) atomicAdd(counts + v, count);
}

/// Who takes a vertex, as numbers that are the same in all threads.
struct ShareView {
    unsigned lanes, small, large;
    bool fine, warp, block;

    explicit ShareView(const Shares& shares)
        : lanes(static_cast<unsigned>(shares.balance.lanes)),
          small(static_cast<unsigned>(std::min<EdgeId>(shares.small, ~0U))),
          large(static_cast<unsigned>(std::min<EdgeId>(shares.large, ~0U))),
          fine(shares.balance.fine),
          warp(shares.balance.warp),
          block(shares.balance.block) {
        const bool few = fine || lanes > 0;
        if (warp && !few) small = 0;
        if (block && !warp && !few) large = 0;
    }
};

template <bool ByVertex>
__global__ void __launch_bounds__(block_threads)
    count_by_lists(const __grid_constant__ KeptView kept, const __grid_constant__ ShareView share,
                   const __grid_constant__ CountsView counts) {
    __shared__ Dealt<block_threads, unsigned> dealt;
    __shared__ uint2 lists[block_threads];
    __shared__ VertexId owners[block_threads];
    __shared__ unsigned wide;
    unsigned long long found = 0;
    /// The edge to ends[e] of vertex u, whose list is that.
    const auto meet = [&](VertexId u, uint2 list, unsigned e) {
        const VertexId v = kept.ends[e];
        const uint2 other = kept.tails[v];
        unsigned a = list.x, b = other.x, met = 0;
        if (a == list.y || b == other.y) return;
        VertexId x = kept.ends[a], y = kept.ends[b];
        for (;;) {
            if (x == y) {
                ++met;
                if (ByVertex) count_one(counts.by_vertex, x, 1);
            }
            const bool next_a = x <= y, next_b = y <= x;
            if (next_a) {
                if (++a == list.y) break;
                x = kept.ends[a];
            }
            if (next_b) {
                if (++b == other.y) break;
                y = kept.ends[b];
            }
        }
        found += met;
        if (ByVertex) count_one(counts.by_vertex, v, met), count_one(counts.by_vertex, u, met);
    };
    for (EdgeId tile = EdgeId{blockIdx.x} * block_threads; tile < kept.vertices; tile += threads_of_grid()) {
        const VertexId u = static_cast<VertexId>(min(tile + threadIdx.x, EdgeId{kept.vertices}));
        const uint2 list = u < kept.vertices ? kept.tails[u] : make_uint2(0, 0);
        const unsigned degree = list.y - list.x;
        const bool to_block = degree > 1 && share.block && degree >= share.large,
                   to_warp = degree > 1 && !to_block && share.warp && degree >= share.small,
                   few = degree > 1 && !to_block && !to_warp;
        if (share.lanes == 1 && !share.fine) {
            if (few) {
                for (unsigned e = list.x; e < list.y; ++e) meet(u, list, e);
            }
            __syncwarp();
        }
        // Neighbouring threads, in turn for each of them.
        const auto by_lanes = [&](bool mine, unsigned lanes) {
            for (unsigned left = __ballot_sync(~0U, mine), turn = 0; turn < lanes; ++turn) {
                if (lanes == 32 && !(left >> turn & 1)) continue;
                const int from = static_cast<int>(lane_of_warp() / lanes * lanes + turn);
                const uint2 of{__shfl_sync(~0U, list.x, from), __shfl_sync(~0U, list.y, from)};
                const VertexId owner = __shfl_sync(~0U, u, from);
                if (left >> from & 1) {
                    for (unsigned e = of.x + lane_of_warp() % lanes; e < of.y; e += lanes) meet(owner, of, e);
                }
                __syncwarp();
            }
        };
        if (share.lanes > 1 && !share.fine) by_lanes(few, share.lanes);
        if (share.warp) by_lanes(to_warp, 32);
        if (share.block && __syncthreads_or(to_block)) {
            if (threadIdx.x == 0) wide = 0;
            __syncthreads();
            if (to_block) {
                const unsigned at = atomicAdd(&wide, 1U);
                lists[at] = list, owners[at] = u;
            }
            __syncthreads();
            for (unsigned i = 0; i < wide; ++i) {
                for (unsigned e = lists[i].x + threadIdx.x; e < lists[i].y; e += block_threads)
                    meet(owners[i], lists[i], e);
            }
            __syncthreads();
        }
        if (share.fine) {
            lists[threadIdx.x] = list, owners[threadIdx.x] = u;
            const unsigned all = dealt.deal(few ? degree : 0);
            for (unsigned i = threadIdx.x; i < all; i += block_threads) {
                unsigned its;
                const unsigned of = dealt.owner(i, &its);
                meet(owners[of], lists[of], lists[of].x + its);
            }
            __syncthreads();
        }
    }
    add_of_warp(counts.all, found);
}

}  // namespace lockstep::structure
