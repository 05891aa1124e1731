// Loops over adjacency lists that the threads of a warp or of a block process together.
#pragma once

#include <cub/block/block_scan.cuh>

#include "lockstep/executor/csr/csr.hpp"
#include "lockstep/executor/device/warp.cuh"

namespace lockstep::gpu {

/// Returns the edges of vertex `v`, or an empty range if not `here`.
__device__ __forceinline__ EdgeRange edges_if(bool here, const CsrView& g, VertexId v) {
    return here ? g.edges_of(v) : EdgeRange{0, 0};
}

/// Calls visit(lane, list of this lane) in all lanes of the warp, for one lane with `has` after another. All
/// lanes of the warp must call it together.
template <class Visit>
__device__ __forceinline__ void for_each_list(bool has, const EdgeRange& mine, Visit visit) {
    for_each_bit(__ballot_sync(~0U, has), [&](int lane) {
        visit(lane, EdgeRange{__shfl_sync(~0U, mine.first, lane), __shfl_sync(~0U, mine.last, lane)});
    });
}

/// Calls visit(vertex, edge) for the edges of each thread's vertex. Lists with fewer than 32 edges are
/// processed by their thread, lists with fewer than 2,048 edges by the warp, and longer lists by the block of
/// `threads` threads. All threads of the block must call it; a thread without a vertex passes an empty range.
template <int threads, class Visit>
__device__ __forceinline__ void for_each_edge(VertexId v, const EdgeRange& edges, Visit visit) {
    struct List {
        EdgeRange edges;
        VertexId vertex;
    };
    __shared__ List long_lists[threads];
    __shared__ unsigned count;
    const bool few = edges.size() < 32, very_many = edges.size() >= 2048;
    if (few) {
        for (const EdgeId e : edges) visit(v, e);
    }
    __syncwarp();
    for_each_list(!few && !very_many, edges, [&](int lane, const EdgeRange& list) {
        const VertexId owner = __shfl_sync(~0U, v, lane);
        for (EdgeId e = list.first + lane_of_warp(); e < list.last; e += 32) visit(owner, e);
        __syncwarp();
    });
    if (!__syncthreads_or(very_many)) return;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (very_many) long_lists[atomicAdd(&count, 1U)] = {edges, v};
    __syncthreads();
    for (unsigned i = 0; i < count; ++i) {
        const List list = long_lists[i];
        for (EdgeId e = list.edges.first + threadIdx.x; e < list.edges.last; e += threads)
            visit(list.vertex, e);
    }
    __syncthreads();
}

/// Distributes items that belong to the threads of a block evenly over these threads.
template <int threads, class Count = EdgeId>
class BlockDistribution {
public:
    /// Sets the number of items of the calling thread, and returns the total of the block. All threads of the
    /// block must call it, with a barrier between two calls.
    __device__ __forceinline__ Count distribute(Count count) {
        Count before, all;
        Scan(scan_storage_).ExclusiveSum(count, before, all);
        before_[threadIdx.x] = before;
        __syncthreads();
        return all;
    }
    /// Returns the thread to which item `i` belongs, and stores the item's index within this thread in
    /// `*its`. It is the last thread whose first item is at most `i`.
    __device__ __forceinline__ unsigned owner(Count i, Count* its) const {
        unsigned at = 0;
        for (unsigned step = threads / 2; step > 0; step /= 2) {
            if (before_[at + step] <= i) at += step;
        }
        *its = i - before_[at];
        return at;
    }

private:
    using Scan = cub::BlockScan<Count, threads, cub::BLOCK_SCAN_WARP_SCANS>;
    typename Scan::TempStorage scan_storage_;
    Count before_[threads];
};

}  // namespace lockstep::gpu
